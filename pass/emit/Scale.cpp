//===- Scale.cpp - A derivative times a partial ---------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Scale.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Scale.h"
#include "support/Finite.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace kdiff {

/// True if \p V is neither infinite nor NaN, whatever happens.
Value *multiply(IRBuilderBase &B, Value *Factor, Value *Partial, bool Bounded,
                Value *Doubt) {
  FastMathFlags Flags = B.getFastMathFlags();
  if (Bounded || Flags.noInfs() || Flags.noNaNs() ||
      isKnownFinite(*Partial, B.GetInsertBlock()->getDataLayout()))
    return B.CreateFMul(Factor, Partial);
  // The partial is chosen, not the product, so that the product and the sum
  // that it goes into can become one instruction.
  Constant *Zero = Constant::getNullValue(Factor->getType());
  Value *IsZero = B.CreateFCmpOEQ(Factor, Zero);
  if (Doubt && !Factor->getType()->isVectorTy())
    IsZero = B.CreateAnd(Doubt, IsZero);
  return B.CreateFMul(Factor, B.CreateSelect(IsZero, Zero, Partial));
}

static FastMathFlags flagsOf(const Instruction &I) {
  return isa<FPMathOperator>(I) ? I.getFastMathFlags() : FastMathFlags();
}

LaneValues scale(IRBuilderBase &B, const Instruction &I, const Rule &R,
                 unsigned K, ArrayRef<Value *> Factors, ArrayRef<Value *> Args,
                 Value *Result, Type *Target, Value *Doubt, Value *Reciprocal) {
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.setFastMathFlags(flagsOf(I));
  Type *ResultType = I.getType();
  bool Negative = false;
  LaneValues Scaled;
  if (isUnit(R, K, Negative)) {
    for (Value *Factor : Factors)
      Scaled.push_back(
          B.CreateFPCast(Negative ? B.CreateFNeg(Factor) : Factor, Target));
    return Scaled;
  }
  Value *Partial =
      emitPartial(B, R, K, Args, Result, ResultType, flagsOf(I), Reciprocal);
  for (Value *Factor : Factors) {
    Value *Wide = B.CreateFPCast(Factor, ResultType);
    Scaled.push_back(B.CreateFPCast(
        multiply(B, Wide, Partial, isBounded(R, K), Doubt), Target));
  }
  return Scaled;
}

} // namespace kdiff
