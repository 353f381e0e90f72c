//===- Bits.cpp - Floating point in integer clothes -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which integer operations on the bits of a
// floating-point value are operations of floating point?
//
// The sign bit's: a flip is fneg, clearing it fabs, setting it both, and one
// value's sign with another's magnitude copysign. None of them rounds, so they
// are exact. (Instcombine knows them as well, but it also turns floating-point
// loads and stores into integer ones, which would hide from activity what a
// place holds: prepare does without it.)
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace {

/// The floating-point operation that the integer operation \p I is, of the
/// type whose bits \p I has; null if it is another.
Value *floatOperation(IRBuilderBase &B, Instruction &I) {
  Value *X, *Y;
  auto Float = [](Value *&V) { return m_ElementWiseBitCast(m_Value(V)); };
  auto IsFloat = [](Value *V) { return V->getType()->isFPOrFPVectorTy(); };
  if (match(&I, m_Xor(Float(X), m_SignMask())) && IsFloat(X))
    return B.CreateFNeg(X);
  if (match(&I, m_And(Float(X), m_MaxSignedValue())) && IsFloat(X))
    return B.CreateUnaryIntrinsic(Intrinsic::fabs, X);
  if (match(&I, m_Or(Float(X), m_SignMask())) && IsFloat(X))
    return B.CreateFNeg(B.CreateUnaryIntrinsic(Intrinsic::fabs, X));
  // The magnitude's fabs was recognised before.
  if (match(&I, m_c_Or(Float(X), m_And(Float(Y), m_SignMask()))) &&
      IsFloat(Y) && X->getType() == Y->getType() && match(X, m_FAbs(m_Value())))
    return B.CreateCopySign(X, Y);
  return nullptr;
}

} // namespace

bool kdiff::recogniseFloatBits(Function &F) {
  SmallVector<Instruction *, 8> Dead;
  for (Instruction &I : instructions(F)) {
    IRBuilder<> B(&I);
    if (Value *V = floatOperation(B, I)) {
      I.replaceAllUsesWith(B.CreateBitCast(V, I.getType()));
      Dead.push_back(&I);
    }
  }
  for (Instruction *I : Dead)
    I->eraseFromParent();
  return !Dead.empty();
}
