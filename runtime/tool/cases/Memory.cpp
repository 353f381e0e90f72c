//===- Memory.cpp - A case's arguments on a device ------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where are the arguments and their derivatives
// on the device, and which bytes does a launch pass for each?
//
//===----------------------------------------------------------------------===//

#include "cases/Memory.h"
#include "llvm/ADT/STLExtras.h"
#include <cstring>

using namespace llvm;

namespace kdiff::tool {

static std::string bytesOf(Address A) {
  return std::string(reinterpret_cast<const char *>(&A), sizeof A);
}

/// True if the argument's derivative lies in device memory.
static bool hasShadowMemory(const Argument &A, RunMode Mode) {
  switch (A.K) {
  case Argument::Buffer:
  case Argument::StructBuffer:
    return A.Act == Activity::Dup && Mode != RunMode::Primal;
  case Argument::Struct:
    return Mode != RunMode::Primal;
  case Argument::Scalar:
    return A.Act == Activity::Active && Mode == RunMode::Reverse;
  case Argument::Opaque:
    return false;
  }
  llvm_unreachable("all kinds handled");
}

Error Memory::allocate(size_t Width) {
  Derivative.resize(Width);
  for (const Argument &A : C.Args) {
    auto Allocate = [&](Place &P, const std::string &Name) -> Error {
      // A kernel may be given an empty buffer; devices do not allocate nothing.
      Expected<Address> Where =
          D.allocate(std::max<size_t>(A.Image.size(), 1), Name);
      if (!Where)
        return Where.takeError();
      P.Where = *Where;
      return Error::success();
    };
    Primal.emplace_back();
    if (A.inMemory())
      if (Error E = Allocate(Primal.back(), A.Name))
        return E;
    for (size_t Lane = 0; Lane != Width; ++Lane) {
      Place &P = Derivative[Lane].emplace_back();
      std::string Number = Lane ? "." + std::to_string(Lane) : "";
      if (hasShadowMemory(A, Mode))
        if (Error E = Allocate(P, "d" + A.Name + Number))
          return E;
    }
  }
  return Error::success();
}

Expected<Memory> Memory::create(const Case &C, Device &D, RunMode Mode,
                                ArrayRef<NumberTable> Derivatives) {
  Memory M(C, D, Mode);
  for (const Argument &A : C.Args)
    if (A.K == Argument::Opaque)
      return createStringError(
          "argument '%s' cannot be passed to a kernel here", A.Name.c_str());
  if (Error E = M.allocate(Derivatives.size()))
    return std::move(E);
  for (auto [I, A] : enumerate(C.Args))
    if (Error E = M.setPrimal(I, A.Image))
      return std::move(E);
  for (auto [Lane, Numbers] : enumerate(Derivatives))
    if (Error E = M.setDerivatives(Lane, Numbers))
      return std::move(E);
  return M;
}

void Memory::setPointers(const Argument &A, std::string &Image,
                         const Places &To) const {
  for (const Field &F : A.Fields) {
    if (F.Buffer.empty())
      continue;
    Address Where = To[C.indexOf(F.Buffer)].Where;
    std::memcpy(&Image[F.Offset], &Where, sizeof Where);
  }
}

Error Memory::setPrimal(unsigned Arg, StringRef Bytes) {
  const Argument &A = C.Args[Arg];
  Place &P = Primal[Arg];
  if (A.inMemory()) {
    P.Value = bytesOf(P.Where);
    return D.write(P.Where, Bytes);
  }
  P.Value = Bytes.str();
  setPointers(A, P.Value, Primal);
  return Error::success();
}

std::string Memory::derivativeImage(unsigned Arg, unsigned Lane,
                                    const NumberTable &Numbers) const {
  const Argument &A = C.Args[Arg];
  std::string Image(A.Image.size(), '\0');
  if (auto It = Numbers.find(A.Name); It != Numbers.end())
    for (auto [I, N] : enumerate(It->second))
      encode(A.slot(I).Type, N, &Image[A.slot(I).Offset]);
  if (A.K != Argument::Struct)
    return Image;
  for (const Field &F : A.Fields)
    if (auto It = Numbers.find(A.Name + "." + F.Name); It != Numbers.end())
      encode(F.Type, It->second.front(), &Image[F.Offset]);
  setPointers(A, Image, Derivative[Lane]);
  return Image;
}

Error Memory::setDerivatives(unsigned Lane, const NumberTable &Numbers) {
  for (auto [I, P] : enumerate(Derivative[Lane])) {
    std::string Image = derivativeImage(I, Lane, Numbers);
    if (!P.Where) {
      P.Value = std::move(Image); // By value, or never passed.
      continue;
    }
    P.Value = bytesOf(P.Where);
    if (Error E = D.write(P.Where, Image))
      return E;
  }
  return Error::success();
}

std::vector<void *> Memory::primalArguments(const Launch &L) {
  std::vector<void *> Args;
  for (const std::string &Name : L.Args)
    Args.push_back(Primal[C.indexOf(Name)].Value.data());
  return Args;
}

std::vector<void *>
Memory::gradientArguments(const Launch &L, const Signature &S, Address Tape) {
  TapePool = Tape;
  std::vector<void *> Args;
  for (const Parameter &P : S.Params) {
    if (P.R == Role::Tape) {
      Args.push_back(&TapePool);
      continue;
    }
    Places &Where = P.R == Role::Primal ? Primal : Derivative[P.Lane];
    Args.push_back(Where[C.indexOf(L.Args[P.Of])].Value.data());
  }
  return Args;
}

Expected<Memory::Snapshot> Memory::snapshot(ArrayRef<Symbol> Variables) {
  Snapshot S;
  for (auto [A, P] : zip_equal(C.Args, Primal)) {
    S.Buffers.emplace_back();
    if (!A.inMemory())
      continue;
    Expected<std::string> Bytes = D.read(P.Where, A.Image.size());
    if (!Bytes)
      return Bytes.takeError();
    S.Buffers.back() = std::move(*Bytes);
  }
  for (const Symbol &V : Variables) {
    Expected<std::string> Bytes = D.read(V.Where, V.Bytes);
    if (!Bytes)
      return Bytes.takeError();
    S.Variables.push_back(std::move(*Bytes));
  }
  return S;
}

Error Memory::restore(const Snapshot &S, ArrayRef<Symbol> Variables) {
  for (auto [P, Bytes] : zip_equal(Primal, S.Buffers))
    if (P.Where)
      if (Error E = D.write(P.Where, Bytes))
        return E;
  for (auto [V, Bytes] : zip_equal(Variables, S.Variables))
    if (Error E = D.write(V.Where, Bytes))
      return E;
  return Error::success();
}

Expected<std::vector<Number>> Memory::numbers(StringRef Name,
                                              const Places &Of) {
  auto [ArgName, FieldName] = Name.split('.');
  unsigned Arg = C.indexOf(ArgName);
  const Argument &A = C.Args[Arg];
  const Place &P = Of[Arg];
  std::string Bytes = P.Value;
  if (P.Where) {
    Expected<std::string> Read = D.read(P.Where, A.Image.size());
    if (!Read)
      return Read.takeError();
    Bytes = std::move(*Read);
  }
  std::vector<Number> Numbers;
  if (const Field *F = A.field(FieldName))
    Numbers.push_back(decode(F->Type, &Bytes[F->Offset]));
  else
    for (size_t I = 0, E = A.slots(); I != E; ++I)
      Numbers.push_back(decode(A.slot(I).Type, &Bytes[A.slot(I).Offset]));
  return Numbers;
}

Expected<std::vector<Number>> Memory::primal(StringRef Name) {
  return numbers(Name, Primal);
}
Expected<std::vector<Number>> Memory::derivative(StringRef Name,
                                                 unsigned Lane) {
  return numbers(Name, Derivative[Lane]);
}

} // namespace kdiff::tool
