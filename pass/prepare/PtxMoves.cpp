//===- PtxMoves.cpp - Registers, moves and memory of PTX ---------*- C++
//-*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do the registers of inline assembly hold,
// and which IR moves values between them and memory?
//
//===----------------------------------------------------------------------===//

#include "prepare/PtxReader.h"
#include "target/NVPTX.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Operator.h"

using namespace llvm;
using namespace kdiff;
using namespace kdiff::ptx;

//===--- Registers --------------------------------------------------------===//

/// Outputs come first, then inputs; an input that is tied to an output is what
/// the output's register holds at first.
bool Reader::bindInputs() {
  auto *Asm = cast<InlineAsm>(CI.getCalledOperand());
  unsigned Number = 0, Argument = 0;
  for (const InlineAsm::ConstraintInfo &Info : Asm->ParseConstraints()) {
    if (Info.Type == InlineAsm::isClobber)
      continue;
    if (Info.isIndirect || Info.Type == InlineAsm::isLabel)
      return false;
    Value *&Register = Scopes.front()["$" + utostr(Number++)];
    if (Info.Type != InlineAsm::isInput)
      continue;
    Register = CI.getArgOperand(Argument++);
    unsigned Output;
    if (!Info.Codes.empty() &&
        !StringRef(Info.Codes[0]).getAsInteger(10, Output))
      Scopes.front()["$" + utostr(Output)] = Register;
  }
  return true;
}

Value *Reader::find(StringRef Name) const {
  for (const StringMap<Value *> &Scope : reverse(Scopes))
    if (auto It = Scope.find(Name); It != Scope.end())
      return It->second;
  return nullptr;
}

bool Reader::write(StringRef Name, Value *V) {
  if (!V)
    return false;
  if (Name == "_")
    return true;
  for (StringMap<Value *> &Scope : reverse(Scopes))
    if (auto It = Scope.find(Name); It != Scope.end()) {
      It->second = V;
      return true;
    }
  return false;
}

Value *Reader::as(Value *V, Type *T) {
  Type *From = V->getType();
  if (From == T)
    return V;
  if (From->isPtrOrPtrVectorTy() || T->isPtrOrPtrVectorTy() ||
      From->isAggregateType() ||
      From->getPrimitiveSizeInBits() != T->getPrimitiveSizeInBits())
    return nullptr;
  return B.CreateBitCast(V, T);
}

Value *Reader::literal(StringRef Text, Type *T) {
  unsigned Bits = T->getPrimitiveSizeInBits().getFixedValue();
  uint64_t Number;
  for (auto [Prefix, Size] : {std::pair("0f", 32u), std::pair("0d", 64u)}) {
    StringRef Digits = Text;
    if (Digits.consume_front_insensitive(Prefix))
      return Size == Bits && !Digits.getAsInteger(16, Number)
                 ? as(B.getIntN(Bits, Number), T)
                 : nullptr;
  }
  bool IsNegative = Text.consume_front("-");
  Text.consume_back_insensitive("u");
  if (Text.getAsInteger(0, Number))
    return nullptr;
  return as(ConstantInt::get(C, APInt(64, IsNegative ? -Number : Number)
                                    .trunc(std::min(Bits, 64u))),
            T);
}

Value *Reader::read(StringRef Operand, Type *T) {
  if (Value *V = find(Operand))
    return as(V, T);
  bool IsNumber =
      !Operand.empty() && (isDigit(Operand.front()) || Operand.front() == '-');
  return IsNumber ? literal(Operand, T) : nullptr;
}

//===--- Moves ------------------------------------------------------------===//

static bool isReal(Type *T) { return T->isFloatingPointTy(); }

/// The parts from the lowest bits up, as a \p T. Numbers of one format make a
/// vector, others are packed as bits.
Value *Reader::pack(ArrayRef<StringRef> Parts, Type *T) {
  unsigned Bits = T->getPrimitiveSizeInBits().getFixedValue() / Parts.size();
  Type *Part = B.getIntNTy(Bits);
  SmallVector<Value *, 4> Values;
  for (StringRef P : Parts)
    Values.push_back(read(P, Part));
  if (is_contained(Values, nullptr))
    return nullptr;
  // The upper half of a float is a bfloat.
  if (Parts.size() == 2 && Bits == 16 && Parts.front() == "0")
    return B.CreateFPExt(B.CreateBitCast(Values[1], B.getBFloatTy()),
                         B.getFloatTy());
  Type *Scalar = find(Parts.front()) ? find(Parts.front())->getType() : nullptr;
  if (Scalar && isReal(Scalar) && all_of(Parts, [&](StringRef P) {
        return find(P) && find(P)->getType() == Scalar;
      })) {
    Value *Vector =
        PoisonValue::get(FixedVectorType::get(Scalar, Parts.size()));
    for (auto [K, P] : enumerate(Parts))
      Vector = B.CreateInsertElement(Vector, find(P), uint64_t(K));
    return Vector;
  }
  Type *Whole = B.getIntNTy(Bits * Parts.size());
  Value *Packed = B.CreateZExt(Values[0], Whole);
  for (unsigned K = 1; K != Values.size(); ++K)
    Packed = B.CreateOr(Packed,
                        B.CreateShl(B.CreateZExt(Values[K], Whole), K * Bits));
  return Packed;
}

bool Reader::unpack(ArrayRef<StringRef> Parts, Value *Whole) {
  unsigned Total = Whole->getType()->getPrimitiveSizeInBits().getFixedValue();
  unsigned Bits = Total / Parts.size();
  auto *Vector = dyn_cast<FixedVectorType>(Whole->getType());
  bool Fits = Vector && Vector->getNumElements() == Parts.size();
  Value *Packed = Fits ? Whole : as(Whole, B.getIntNTy(Total));
  for (auto [K, P] : enumerate(Parts)) {
    Value *V =
        Fits ? B.CreateExtractElement(Packed, uint64_t(K))
             : B.CreateTrunc(B.CreateLShr(Packed, K * Bits), B.getIntNTy(Bits));
    if (!write(P, V))
      return false;
  }
  return true;
}

bool Reader::move(const Statement &S) {
  if (Kinds.size() != 1 || Words.size() != 1 || S.Operands.size() != 2)
    return false;
  SmallVector<StringRef, 4> To = elements(S.Operands[0]);
  SmallVector<StringRef, 4> From = elements(S.Operands[1]);
  Type *T = Kinds[0].Ty;
  if (From.size() > 1)
    return To.size() == 1 && write(To[0], pack(From, T));
  Value *V = find(From[0]);
  bool Fits =
      V && !V->getType()->isPtrOrPtrVectorTy() &&
      V->getType()->getPrimitiveSizeInBits() == T->getPrimitiveSizeInBits();
  if (!V)
    V = read(From[0], T);
  else if (!Fits)
    return false;
  if (To.size() == 1)
    return write(To[0], V);
  return V && unpack(To, V);
}

/// Integers, whose bits may be those of several numbers each, one by one.
bool Reader::accessEach(ArrayRef<StringRef> Parts, Type *T, Value *Pointer,
                        bool IsLoad) {
  for (auto [K, Part] : enumerate(Parts)) {
    Value *At = B.CreateConstGEP1_64(T, Pointer, K);
    Value *V = IsLoad ? nullptr : read(Part, T);
    if (IsLoad ? !write(Part, B.CreateLoad(T, At)) : !V)
      return false;
    if (V)
      B.CreateStore(V, At);
  }
  return true;
}

bool Reader::access(const Statement &S) {
  StringRef Name = StringRef(S.Opcode).split('.').first;
  bool IsLoad = Name == "ld";
  unsigned Space = nvptx::Generic, Count = 1;
  bool IsInvariant = false;
  for (StringRef W : Words) {
    if (W == "v2" || W == "v4")
      Count = W == "v2" ? 2 : 4;
    else if (W == "global")
      Space = nvptx::Global;
    else if (W == "shared")
      Space = nvptx::Shared;
    else if (W == "nc")
      IsInvariant = true;
    else if (!kindOf(C, W).Ty && !isOption(W))
      return false;
  }
  if (Kinds.size() != 1 || S.Operands.size() != 2)
    return false;
  SmallVector<StringRef, 4> Parts = elements(S.Operands[IsLoad ? 0 : 1]);
  Value *Pointer = address(S.Operands[IsLoad ? 1 : 0], Space);
  Type *Scalar = Kinds[0].Ty;
  if (!Pointer || Parts.size() != Count || Scalar->isVectorTy())
    return false;
  if (Count > 1 && Scalar->isIntegerTy())
    return accessEach(Parts, Scalar, Pointer, IsLoad);
  Type *T = Count == 1 ? Scalar : FixedVectorType::get(Scalar, Count);
  Align A(CI.getDataLayout().getTypeStoreSize(T));
  if (IsLoad) {
    LoadInst *Load = B.CreateAlignedLoad(T, Pointer, A);
    if (IsInvariant)
      Load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(C, {}));
    return Count == 1 ? write(Parts[0], Load) : unpack(Parts, Load);
  }
  Value *V = Count == 1 ? read(Parts[0], T) : PoisonValue::get(T);
  for (unsigned K = 0; K != Count && Count != 1; ++K) {
    Value *Part = read(Parts[K], Scalar);
    if (!Part)
      return false;
    V = B.CreateInsertElement(V, Part, uint64_t(K));
  }
  return V && B.CreateAlignedStore(V, Pointer, A);
}

/// Hints to the caches, and what an access is without saying so.
bool Reader::isOption(StringRef Word) const {
  return StringSwitch<bool>(Word)
      .Cases({"ca", "cg", "cs", "lu", "wb", "wt", "weak"}, true)
      .Cases({"L1::no_allocate", "L1::evict_first", "L1::evict_last"}, true)
      .Cases({"L1::evict_normal", "L1::evict_unchanged"}, true)
      .Cases({"L2::64B", "L2::128B", "L2::256B"}, true)
      .Default(false);
}

/// "[register]" or "[register+offset]": a pointer, or the number that one was
/// turned into.
Value *Reader::address(StringRef Operand, unsigned Space) {
  if (!Operand.consume_front("[") || !Operand.consume_back("]"))
    return nullptr;
  auto [Name, Rest] = Operand.split('+');
  int64_t Offset = 0;
  if (!Rest.empty() && Rest.trim().getAsInteger(0, Offset))
    return nullptr;
  Value *Base = find(Name.trim());
  if (auto *Number = dyn_cast_or_null<PtrToIntOperator>(Base))
    Base = Number->getPointerOperand();
  if (!Base || !Base->getType()->isPointerTy())
    return nullptr;
  Type *Wanted = PointerType::get(C, Space);
  if (Base->getType() != Wanted &&
      Base->getType()->getPointerAddressSpace() == nvptx::Generic)
    Base = B.CreateAddrSpaceCast(Base, Wanted);
  return Offset ? B.CreateConstGEP1_64(B.getInt8Ty(), Base, Offset) : Base;
}
