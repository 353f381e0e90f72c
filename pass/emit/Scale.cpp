//===- Scale.cpp - A derivative times a partial ---------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Scale.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Scale.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace kdiff {

Value *multiply(IRBuilderBase &B, Value *Factor, Value *Partial,
                bool Bounded) {
  Value *Product = B.CreateFMul(Factor, Partial);
  FastMathFlags Flags = B.getFastMathFlags();
  if (Bounded || Flags.noInfs() || Flags.noNaNs())
    return Product;
  Value *IsZero =
      B.CreateFCmpOEQ(Factor, Constant::getNullValue(Factor->getType()));
  return B.CreateSelect(IsZero, Factor, Product);
}

static FastMathFlags flagsOf(const Instruction &I) {
  return isa<FPMathOperator>(I) ? I.getFastMathFlags() : FastMathFlags();
}

Value *scale(IRBuilderBase &B, const Instruction &I, const Rule &R, unsigned K,
             Value *Factor, ArrayRef<Value *> Args, Value *Result,
             Type *Target) {
  IRBuilderBase::FastMathFlagGuard Guard(B);
  B.setFastMathFlags(flagsOf(I));
  Type *ResultType = I.getType();
  bool Negative = false;
  if (isUnit(R, K, Negative)) {
    Value *Moved = Negative ? B.CreateFNeg(Factor) : Factor;
    return B.CreateFPCast(Moved, Target);
  }
  Value *Wide = B.CreateFPCast(Factor, ResultType);
  Value *Partial =
      emitPartial(B, R, K, Args, Result, ResultType, flagsOf(I));
  return B.CreateFPCast(multiply(B, Wide, Partial, isBounded(R, K)), Target);
}

} // namespace kdiff
