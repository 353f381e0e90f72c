//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a program's data get to a
// device, and how are its kernels launched on it?
//
//===----------------------------------------------------------------------===//
#include "harness/Workspace.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace kdiff::bench {

static size_t sizeOf(ElementType T) { return T == ElementType::F64 ? 8 : 4; }

static void put(char *To, ElementType T, double Value) {
  if (T == ElementType::F64) {
    std::memcpy(To, &Value, 8);
  } else if (T == ElementType::F32) {
    float Narrow = static_cast<float>(Value);
    std::memcpy(To, &Narrow, 4);
  } else {
    int32_t Integer = static_cast<int32_t>(Value);
    std::memcpy(To, &Integer, 4);
  }
}

static double get(const char *From, ElementType T) {
  if (T == ElementType::F64) {
    double Value;
    std::memcpy(&Value, From, 8);
    return Value;
  }
  if (T == ElementType::F32) {
    float Value;
    std::memcpy(&Value, From, 4);
    return Value;
  }
  int32_t Value;
  std::memcpy(&Value, From, 4);
  return Value;
}

ElementType Workspace::typeOf(const Argument &A) const {
  return A.Type == ElementType::Real ? Real : A.Type;
}

Expected<std::unique_ptr<Workspace>>
Workspace::create(Backend &B, const Program &P, ElementType Real) {
  std::unique_ptr<Workspace> W(new Workspace(B, P, Real));
  for (const Argument &A : P.Args)
    if (Error E = W->add(A))
      return std::move(E);
  if (Error E = W->reset())
    return std::move(E);
  return std::move(W);
}

Workspace::~Workspace() {
  for (void *Pointer : Owned)
    B.free(Pointer);
}

Error Workspace::fill(void *To, const Argument &A,
                      const std::function<double(size_t)> &Element) {
  constexpr size_t Chunk = size_t(1) << 22;
  const ElementType T = typeOf(A);
  const size_t Size = sizeOf(T);
  std::vector<char> Staging(std::min(A.Count, Chunk) * Size);
  for (size_t First = 0; First < A.Count; First += Chunk) {
    size_t Number = std::min(Chunk, A.Count - First);
    for (size_t I = 0; I < Number; ++I)
      put(&Staging[I * Size], T, Element(First + I));
    if (Error E = B.upload(static_cast<char *>(To) + First * Size,
                           Staging.data(), Number * Size))
      return E;
  }
  return Error::success();
}

Error Workspace::add(const Argument &A) {
  Place &Pl = Places[A.Name];
  Pl.A = &A;
  Pl.Bytes = A.Count * sizeOf(typeOf(A));
  if (A.R == Role::ByValue) {
    Scalars.push_back(std::make_unique<char[]>(8));
    Pl.Values = Scalars.back().get();
    put(Scalars.back().get(), typeOf(A), A.Value(0));
    return Error::success();
  }
  auto Allocate = [&](void *&To) -> Error {
    Expected<void *> Memory = B.allocate(Pl.Bytes);
    if (!Memory)
      return Memory.takeError();
    Owned.push_back(To = *Memory);
    return Error::success();
  };
  if (Error E = Allocate(Pl.Values))
    return E;
  if (A.Value)
    if (Error E = fill(Pl.Values, A, A.Value))
      return E;
  if (A.hasShadow())
    if (Error E = Allocate(Pl.Shadow))
      return E;
  if (!A.Seed)
    return Error::success();
  if (Error E = Allocate(Pl.Seed))
    return E;
  return fill(Pl.Seed, A, A.Seed);
}

Error Workspace::reset() {
  for (const Argument &A : P.Args) {
    Place &Pl = Places[A.Name];
    if (A.R != Role::ByValue && !A.Value)
      if (Error E = B.zero(Pl.Values, Pl.Bytes))
        return E;
    if (!Pl.Shadow)
      continue;
    if (Error E = Pl.Seed ? B.copy(Pl.Shadow, Pl.Seed, Pl.Bytes)
                          : B.zero(Pl.Shadow, Pl.Bytes))
      return E;
  }
  return Error::success();
}

Error Workspace::launch(const Launch &L) {
  std::vector<void *> Pointers;
  for (StringRef Name : L.Args) {
    bool IsShadow = Name.consume_front("d_");
    auto It = Places.find(Name);
    if (It == Places.end())
      return createStringError("%s: no argument '%s'", P.Name.c_str(),
                               Name.str().c_str());
    Place &Pl = It->second;
    if (Pl.A->R == Role::ByValue)
      Pointers.push_back(Pl.Values);
    else
      Pointers.push_back(IsShadow ? &Pl.Shadow : &Pl.Values);
  }
  return B.launch(L.Kernel, L.Grid, L.Block, L.DynamicShared, Pointers);
}

/// The shadow; of an argument that has none by itself, zeroed memory that
/// receives what nobody asked for.
Expected<void *> Workspace::shadowOf(Place &Pl) {
  if (Pl.Shadow)
    return &Pl.Shadow;
  size_t Bytes = Pl.A->R == Role::ByValue ? 8 : Pl.Bytes;
  Expected<void *> Memory = B.allocate(Bytes);
  if (!Memory)
    return Memory.takeError();
  Owned.push_back(Pl.Shadow = *Memory);
  if (Error E = B.zero(Pl.Shadow, Bytes))
    return std::move(E);
  return &Pl.Shadow;
}

Error Workspace::launchGradient(const tool::Signature &S) {
  std::vector<void *> Pointers;
  for (const tool::Parameter &Param : S.Params) {
    if (Param.Of >= P.Primal.Args.size())
      return createStringError("%s: the signature has too many parameters",
                               P.Name.c_str());
    Place &Pl = Places[P.Primal.Args[Param.Of]];
    if (Param.R == tool::Role::Primal) {
      Pointers.push_back(Pl.A->R == Role::ByValue ? Pl.Values : &Pl.Values);
      continue;
    }
    Expected<void *> Shadow = shadowOf(Pl);
    if (!Shadow)
      return Shadow.takeError();
    Pointers.push_back(*Shadow);
  }
  return B.launch(S.Kernel, P.Primal.Grid, P.Primal.Block,
                  P.Primal.DynamicShared * S.DynamicSharedFactor, Pointers);
}

Expected<std::vector<double>> Workspace::read(const Argument &A,
                                              const void *From) {
  const ElementType T = typeOf(A);
  std::vector<char> Bytes(A.Count * sizeOf(T));
  if (Error E = B.download(Bytes.data(), From, Bytes.size()))
    return std::move(E);
  std::vector<double> Values(A.Count);
  for (size_t I = 0; I < A.Count; ++I)
    Values[I] = get(&Bytes[I * sizeOf(T)], T);
  return Values;
}

Expected<std::vector<double>> Workspace::values(const std::string &Argument) {
  const Place &Pl = Places[Argument];
  return read(*Pl.A, Pl.Values);
}

Expected<std::vector<double>> Workspace::shadow(const std::string &Argument) {
  const Place &Pl = Places[Argument];
  return read(*Pl.A, Pl.Shadow);
}

Error Workspace::set(const std::string &Argument, size_t Index, double Value) {
  const Place &Pl = Places[Argument];
  const ElementType T = typeOf(*Pl.A);
  char Bytes[8];
  put(Bytes, T, Value);
  return B.upload(static_cast<char *>(Pl.Values) + Index * sizeOf(T), Bytes,
                  sizeOf(T));
}

} // namespace kdiff::bench
