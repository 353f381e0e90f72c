//===- IntegerOps.cpp - PTX integer arithmetic ----------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how are PTX' integer instructions said in IR?
//
//===----------------------------------------------------------------------===//

#include "IntegerOps.h"
#include "llvm/IR/Intrinsics.h"

using namespace llvm;

static Value *extend(IRBuilder<> &B, Value *V, Type *To, bool Signed) {
  return Signed ? B.CreateSExt(V, To) : B.CreateZExt(V, To);
}

Value *kdiff::simt::joinHalves(IRBuilder<> &B, Value *Low, Value *High) {
  Type *I64 = B.getInt64Ty();
  return B.CreateOr(B.CreateShl(B.CreateZExt(High, I64), 32),
                    B.CreateZExt(Low, I64));
}

Value *kdiff::simt::multiplyHigh(IRBuilder<> &B, Value *X, Value *Y,
                                 bool Signed) {
  unsigned Width = X->getType()->getIntegerBitWidth();
  Type *Double = B.getIntNTy(2 * Width);
  Value *P =
      B.CreateMul(extend(B, X, Double, Signed), extend(B, Y, Double, Signed));
  return B.CreateTrunc(B.CreateLShr(P, Width), X->getType());
}

Value *kdiff::simt::absoluteDifference(IRBuilder<> &B, Value *X, Value *Y,
                                       bool Signed) {
  Value *Less = Signed ? B.CreateICmpSLT(X, Y) : B.CreateICmpULT(X, Y);
  return B.CreateSelect(Less, B.CreateSub(Y, X), B.CreateSub(X, Y));
}

Value *kdiff::simt::permuteBytes(IRBuilder<> &B, Value *Low, Value *High,
                                 Value *Selector) {
  Value *Source = joinHalves(B, Low, High), *R = B.getInt32(0);
  for (unsigned I = 0; I < 4; ++I) {
    Value *Nibble = B.CreateLShr(Selector, 4 * I);
    Value *Bits = B.CreateShl(B.CreateAnd(Nibble, 7), 3);
    Value *Byte =
        B.CreateTrunc(B.CreateLShr(Source, B.CreateZExt(Bits, B.getInt64Ty())),
                      B.getInt8Ty());
    Value *Replicate = B.CreateIsNotNull(B.CreateAnd(Nibble, 8));
    Byte = B.CreateSelect(Replicate, B.CreateAShr(Byte, 7), Byte);
    R = B.CreateOr(R, B.CreateShl(B.CreateZExt(Byte, B.getInt32Ty()), 8 * I));
  }
  return R;
}

Value *kdiff::simt::funnelShift(IRBuilder<> &B, bool Left, bool Clamp,
                                Value *Low, Value *High, Value *Amount) {
  Value *N =
      Clamp ? B.CreateBinaryIntrinsic(Intrinsic::umin, Amount, B.getInt32(32))
            : B.CreateAnd(Amount, 31);
  N = B.CreateZExt(N, B.getInt64Ty());
  Value *Both = joinHalves(B, Low, High);
  Value *R =
      Left ? B.CreateLShr(B.CreateShl(Both, N), 32) : B.CreateLShr(Both, N);
  return B.CreateTrunc(R, B.getInt32Ty());
}

Value *kdiff::simt::shift(IRBuilder<> &B, bool Left, bool Signed, Value *X,
                          Value *Amount) {
  Type *Ty = X->getType();
  unsigned Width = Ty->getIntegerBitWidth();
  Value *Out =
      B.CreateICmpUGE(Amount, ConstantInt::get(Amount->getType(), Width));
  Value *N = B.CreateZExtOrTrunc(Amount, Ty);
  if (!Left && Signed) {
    N = B.CreateSelect(Out, ConstantInt::get(Ty, Width - 1), N);
    return B.CreateAShr(X, N);
  }
  N = B.CreateSelect(Out, ConstantInt::get(Ty, 0), N);
  Value *R = Left ? B.CreateShl(X, N) : B.CreateLShr(X, N);
  return B.CreateSelect(Out, ConstantInt::get(Ty, 0), R);
}

Value *kdiff::simt::findLeadingOne(IRBuilder<> &B, Value *X, bool Signed,
                                   Value *ShiftAmount, Type *Result) {
  Type *Ty = X->getType();
  if (Signed)
    X = B.CreateSelect(B.CreateICmpSLT(X, ConstantInt::get(Ty, 0)),
                       B.CreateNot(X), X);
  Value *Zeros = B.CreateZExtOrTrunc(
      B.CreateIntrinsic(Intrinsic::ctlz, {Ty}, {X, B.getFalse()}), Result);
  Value *Place = B.CreateSub(
      ConstantInt::get(Result, Ty->getIntegerBitWidth() - 1), Zeros);
  Value *R = B.CreateSelect(ShiftAmount, Zeros, Place);
  return B.CreateSelect(B.CreateIsNull(X), Constant::getAllOnesValue(Result),
                        R);
}

/// Ones below bit \p Length (i32, 0 to 255).
static Value *lowMask(IRBuilder<> &B, Value *Length, Type *Ty) {
  Value *Beyond = kdiff::simt::shift(B, /*Left=*/true, /*Signed=*/false,
                                     Constant::getAllOnesValue(Ty), Length);
  return B.CreateNot(Beyond);
}

Value *kdiff::simt::extractField(IRBuilder<> &B, Value *X, Value *Start,
                                 Value *Length, bool Signed) {
  Type *Ty = X->getType();
  unsigned Width = Ty->getIntegerBitWidth();
  Start = B.CreateAnd(Start, 255);
  Length = B.CreateAnd(Length, 255);
  Value *Field = shift(B, /*Left=*/false, Signed, X, Start);
  Value *Mask = lowMask(B, Length, Ty);
  Value *Low = B.CreateAnd(Field, Mask);
  if (!Signed)
    return Low;
  // The sign: the field's top bit, or the operand's where it ends before.
  Value *Last = B.CreateBinaryIntrinsic(
      Intrinsic::umin, B.CreateSub(B.CreateAdd(Start, Length), B.getInt32(1)),
      B.getInt32(Width - 1));
  Value *Sign = B.CreateTrunc(B.CreateLShr(X, B.CreateZExtOrTrunc(Last, Ty)),
                              B.getInt1Ty());
  Value *Filled = B.CreateOr(Low, B.CreateNot(Mask));
  Value *R = B.CreateSelect(Sign, Filled, Low);
  return B.CreateSelect(B.CreateIsNull(Length), ConstantInt::get(Ty, 0), R);
}

Value *kdiff::simt::insertField(IRBuilder<> &B, Value *Field, Value *Into,
                                Value *Start, Value *Length) {
  Start = B.CreateAnd(Start, 255);
  Length = B.CreateAnd(Length, 255);
  Value *Mask = shift(B, /*Left=*/true, /*Signed=*/false,
                      lowMask(B, Length, Into->getType()), Start);
  Value *Moved = shift(B, /*Left=*/true, /*Signed=*/false, Field, Start);
  return B.CreateOr(B.CreateAnd(Moved, Mask),
                    B.CreateAnd(Into, B.CreateNot(Mask)));
}

Value *kdiff::simt::logic3(IRBuilder<> &B, Value *X, Value *Y, Value *Z,
                           unsigned Table) {
  Value *R = ConstantInt::get(X->getType(), 0);
  for (unsigned Row = 0; Row < 8; ++Row) {
    if (!(Table >> Row & 1))
      continue;
    auto literal = [&](Value *V, unsigned Bit) {
      return Row >> Bit & 1 ? V : B.CreateNot(V);
    };
    R = B.CreateOr(R, B.CreateAnd(B.CreateAnd(literal(X, 2), literal(Y, 1)),
                                  literal(Z, 0)));
  }
  return R;
}

static Value *laneProducts(IRBuilder<> &B, Value *X, unsigned XBits,
                           bool XSigned, Value *Y, bool YSigned, Value *Sum,
                           unsigned Lanes) {
  for (unsigned I = 0; I < Lanes; ++I) {
    auto lane = [&](Value *V, unsigned Bits, bool Signed) {
      Value *L = B.CreateTrunc(B.CreateLShr(V, I * Bits), B.getIntNTy(Bits));
      return extend(B, L, B.getInt32Ty(), Signed);
    };
    Sum = B.CreateAdd(
        Sum, B.CreateMul(lane(X, XBits, XSigned), lane(Y, 8, YSigned)));
  }
  return Sum;
}

Value *kdiff::simt::dotProduct(IRBuilder<> &B, Value *X, bool XSigned, Value *Y,
                               bool YSigned, Value *Sum) {
  return laneProducts(B, X, 8, XSigned, Y, YSigned, Sum, 4);
}

Value *kdiff::simt::dotProduct2(IRBuilder<> &B, Value *X, bool XSigned,
                                Value *Y, bool YSigned, Value *Sum) {
  return laneProducts(B, X, 16, XSigned, Y, YSigned, Sum, 2);
}
