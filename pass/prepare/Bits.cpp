//===- Bits.cpp - Floating point in integer clothes -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which integer operations on the bits of
// floating-point values are operations of floating point?
//
// A value whose bits are another one's, in their order, is that one, however it
// was taken apart and put together. Where the sign bit differs, a flip is fneg,
// a zero fabs, a one both, another value's sign copysign, and where another bit
// decides on it, that is a select. None of them rounds, so they are exact.
// (Instcombine knows some of them, but it also turns floating-point loads and
// stores into integer ones, which would hide from activity what a place holds:
// prepare does without it.)
//
//===----------------------------------------------------------------------===//

#include "prepare/BitTrace.h"
#include "prepare/Steps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace kdiff;

namespace {

/// Finds the floating-point value that the bits of an instruction are.
class Assembler {
public:
  explicit Assembler(BitTracer &Tracer) : Tracer(Tracer) {}

  /// A value of the type of \p I with the same bits, or null.
  Value *replacementOf(Instruction &I);

private:
  Type *wanted(const Instruction &I, ArrayRef<Bit> Bits) const;
  Value *element(IRBuilderBase &B, ArrayRef<Bit> Bits, Type *Scalar);
  Value *number(IRBuilderBase &B, const Bit &First, Type *Scalar);
  Value *withSign(IRBuilderBase &B, Value *X, const Bit &First, const Bit &Sign,
                  Type *Scalar);

  BitTracer &Tracer;
};

bool isConstant(ArrayRef<Bit> Bits) {
  return none_of(Bits, [](const Bit &B) { return B.Source != nullptr; });
}

APInt constantOf(ArrayRef<Bit> Bits) {
  APInt Value(Bits.size(), 0);
  for (auto [K, B] : enumerate(Bits))
    Value.setBitVal(K, B.isOne());
  return Value;
}

/// The number of type \p Scalar whose lowest bit is \p First; null if that is
/// no whole element of the bit's source, or the source is of another format.
Value *Assembler::number(IRBuilderBase &B, const Bit &First, Type *Scalar) {
  Value *V = First.Source;
  Type *T = V->getType();
  unsigned Size = Scalar->getPrimitiveSizeInBits().getFixedValue();
  unsigned Width = T->getPrimitiveSizeInBits().getFixedValue();
  if (First.Position % Size != 0 || Width % Size != 0 ||
      (T->isFPOrFPVectorTy() && T->getScalarType() != Scalar))
    return nullptr;
  if (Width == Size)
    return B.CreateBitCast(V, Scalar);
  Type *Vector = FixedVectorType::get(Scalar, Width / Size);
  return B.CreateExtractElement(B.CreateBitCast(V, Vector),
                                uint64_t(First.Position / Size));
}

/// \p X, which begins at \p First, with the sign bit \p Sign.
Value *Assembler::withSign(IRBuilderBase &B, Value *X, const Bit &First,
                           const Bit &Sign, Type *Scalar) {
  unsigned Size = Scalar->getPrimitiveSizeInBits().getFixedValue();
  if (Sign.isZero())
    return B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  if (Sign.isOne())
    return B.CreateFNeg(B.CreateUnaryIntrinsic(Intrinsic::fabs, X));
  if (Sign.Source == First.Source && Sign.Position == First.Position + Size - 1)
    return Sign.IsFlipped ? B.CreateFNeg(X) : X;
  Value *V = Sign.Source;
  Type *T = V->getType();
  if (Sign.Position % Size == Size - 1 && T->getScalarType() == Scalar) {
    Value *Y = number(B, {V, Sign.Position - (Size - 1), false}, Scalar);
    return B.CreateCopySign(X, Sign.IsFlipped ? B.CreateFNeg(Y) : Y);
  }
  if (!T->isIntegerTy())
    return nullptr;
  // Some bit decides.
  Value *Mask = ConstantInt::get(
      T, APInt::getOneBitSet(T->getIntegerBitWidth(), Sign.Position));
  Value *IsSet = B.CreateIsNotNull(B.CreateAnd(V, Mask));
  Value *Magnitude = B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  Value *Negative = B.CreateFNeg(Magnitude);
  return Sign.IsFlipped ? B.CreateSelect(IsSet, Magnitude, Negative)
                        : B.CreateSelect(IsSet, Negative, Magnitude);
}

/// The number of type \p Scalar with these bits, or null.
Value *Assembler::element(IRBuilderBase &B, ArrayRef<Bit> Bits, Type *Scalar) {
  if (isConstant(Bits))
    return ConstantExpr::getBitCast(
        ConstantInt::get(B.getContext(), constantOf(Bits)), Scalar);
  // A bfloat is the upper half of a float.
  if (Scalar->isFloatTy() && isConstant(Bits.take_front(16)) &&
      constantOf(Bits.take_front(16)).isZero()) {
    Value *Half = element(B, Bits.drop_front(16), B.getBFloatTy());
    return Half ? B.CreateFPExt(Half, Scalar) : nullptr;
  }
  if (!isRun(Bits.drop_back()))
    return nullptr;
  Value *X = number(B, Bits.front(), Scalar);
  return X ? withSign(B, X, Bits.front(), Bits.back(), Scalar) : nullptr;
}

/// The floating-point type of which \p I, an integer, has the bits: the one of
/// the values that they come from.
Type *Assembler::wanted(const Instruction &I, ArrayRef<Bit> Bits) const {
  if (I.getType()->isFPOrFPVectorTy())
    return I.getType();
  Type *Scalar = nullptr;
  for (const Bit &B : Bits)
    if (B.Source) {
      Type *T = B.Source->getType()->getScalarType();
      if (!T->isFloatingPointTy() || (Scalar && T != Scalar))
        return nullptr;
      Scalar = T;
    }
  unsigned Size = Scalar ? Scalar->getPrimitiveSizeInBits().getFixedValue() : 1;
  if (!Scalar || Bits.size() % Size != 0)
    return nullptr;
  unsigned Count = Bits.size() / Size;
  return Count == 1 ? Scalar : FixedVectorType::get(Scalar, Count);
}

Value *Assembler::replacementOf(Instruction &I) {
  const BitList Bits = Tracer.of(&I);
  if (Bits.empty() || isConstant(Bits) || Bits.front().Source == &I)
    return nullptr;
  IRBuilder<> B(&I);
  Value *Source = Bits.front().Source;
  // Taken apart and put together again.
  if (isRun(Bits) && Bits.front().Position == 0 &&
      Source->getType()->getPrimitiveSizeInBits() == Bits.size()) {
    bool IsPlain = isa<BitCastInst>(I) && I.getOperand(0) == Source;
    return IsPlain ? nullptr : B.CreateBitCast(Source, I.getType());
  }
  Type *T = wanted(I, Bits);
  if (!T)
    return nullptr;
  Type *Scalar = T->getScalarType();
  unsigned Size = Scalar->getPrimitiveSizeInBits().getFixedValue();
  SmallVector<Value *, 8> Elements;
  for (unsigned At = 0; At != Bits.size(); At += Size) {
    Elements.push_back(element(B, ArrayRef(Bits).slice(At, Size), Scalar));
    if (!Elements.back())
      return nullptr;
  }
  if (!T->isVectorTy())
    return B.CreateBitCast(Elements.front(), I.getType());
  Value *Vector = PoisonValue::get(T);
  for (auto [K, V] : enumerate(Elements))
    Vector = B.CreateInsertElement(Vector, V, uint64_t(K));
  return B.CreateBitCast(Vector, I.getType());
}

} // namespace

bool kdiff::recogniseFloatBits(Function &F) {
  BitTracer Tracer;
  Assembler A(Tracer);
  SmallVector<WeakTrackingVH, 16> Dead;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    bool IsMove = I.isBitwiseLogicOp() || isa<BitCastInst, TruncInst>(I) ||
                  I.getOpcode() == Instruction::LShr;
    Value *V = IsMove ? A.replacementOf(I) : nullptr;
    if (!V)
      continue;
    I.replaceAllUsesWith(V);
    Dead.push_back(&I);
  }
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  return !Dead.empty();
}
