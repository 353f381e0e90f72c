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

Error Memory::allocate() {
  for (const Argument &A : C.Args) {
    Place &P = Places.emplace_back();
    // A kernel may be given an empty buffer; devices do not allocate nothing.
    size_t Bytes = std::max<size_t>(A.Image.size(), 1);
    if (A.inMemory()) {
      Expected<Address> Where = D.allocate(Bytes, A.Name);
      if (!Where)
        return Where.takeError();
      P.Primal = *Where;
    }
    if (hasShadowMemory(A, Mode)) {
      Expected<Address> Where = D.allocate(Bytes, "d" + A.Name);
      if (!Where)
        return Where.takeError();
      P.Derivative = *Where;
    }
  }
  return Error::success();
}

Expected<Memory> Memory::create(const Case &C, Device &D, RunMode Mode,
                                const NumberTable &Derivatives) {
  Memory M(C, D, Mode);
  for (const Argument &A : C.Args)
    if (A.K == Argument::Opaque)
      return createStringError(
          "argument '%s' cannot be passed to a kernel here", A.Name.c_str());
  if (Error E = M.allocate())
    return std::move(E);
  for (auto [I, A] : enumerate(C.Args))
    if (Error E = M.setPrimal(I, A.Image))
      return std::move(E);
  if (Error E = M.setDerivatives(Derivatives))
    return std::move(E);
  return M;
}

void Memory::setPointers(const Argument &A, std::string &Image,
                         bool Derivative) const {
  for (const Field &F : A.Fields) {
    if (F.Buffer.empty())
      continue;
    const Place &P = Places[C.indexOf(F.Buffer)];
    Address Where = Derivative ? P.Derivative : P.Primal;
    std::memcpy(&Image[F.Offset], &Where, sizeof Where);
  }
}

Error Memory::setPrimal(unsigned Arg, StringRef Bytes) {
  const Argument &A = C.Args[Arg];
  Place &P = Places[Arg];
  if (A.inMemory()) {
    P.Value = bytesOf(P.Primal);
    return D.write(P.Primal, Bytes);
  }
  P.Value = Bytes.str();
  setPointers(A, P.Value, /*Derivative=*/false);
  return Error::success();
}

std::string Memory::derivativeImage(unsigned Arg,
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
  setPointers(A, Image, /*Derivative=*/true);
  return Image;
}

Error Memory::setDerivatives(const NumberTable &Numbers) {
  for (auto [I, P] : enumerate(Places)) {
    std::string Image = derivativeImage(I, Numbers);
    if (!P.Derivative) {
      P.Second = std::move(Image); // By value, or never passed.
      continue;
    }
    P.Second = bytesOf(P.Derivative);
    if (Error E = D.write(P.Derivative, Image))
      return E;
  }
  return Error::success();
}

std::vector<void *> Memory::primalArguments(const Launch &L) {
  std::vector<void *> Args;
  for (const std::string &Name : L.Args)
    Args.push_back(Places[C.indexOf(Name)].Value.data());
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
    Place &Where = Places[C.indexOf(L.Args[P.Of])];
    Args.push_back(P.R == Role::Primal ? Where.Value.data()
                                       : Where.Second.data());
  }
  return Args;
}

Expected<Memory::Snapshot> Memory::snapshot(ArrayRef<Symbol> Variables) {
  Snapshot S;
  for (auto [A, P] : zip_equal(C.Args, Places)) {
    S.Buffers.emplace_back();
    if (!A.inMemory())
      continue;
    Expected<std::string> Bytes = D.read(P.Primal, A.Image.size());
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
  for (auto [P, Bytes] : zip_equal(Places, S.Buffers))
    if (P.Primal)
      if (Error E = D.write(P.Primal, Bytes))
        return E;
  for (auto [V, Bytes] : zip_equal(Variables, S.Variables))
    if (Error E = D.write(V.Where, Bytes))
      return E;
  return Error::success();
}

Expected<std::vector<Number>> Memory::numbers(StringRef Name, bool Derivative) {
  auto [ArgName, FieldName] = Name.split('.');
  unsigned Arg = C.indexOf(ArgName);
  const Argument &A = C.Args[Arg];
  const Place &P = Places[Arg];
  Address Where = Derivative ? P.Derivative : P.Primal;
  std::string Bytes = Derivative ? P.Second : P.Value;
  if (Where) {
    Expected<std::string> Read = D.read(Where, A.Image.size());
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
  return numbers(Name, false);
}
Expected<std::vector<Number>> Memory::derivative(StringRef Name) {
  return numbers(Name, true);
}

} // namespace kdiff::tool
