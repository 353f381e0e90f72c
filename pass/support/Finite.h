//===- Finite.h - Values that are never infinite or NaN --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: is a value known to be finite?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SUPPORT_FINITE_H
#define KDIFF_SUPPORT_FINITE_H

#include "llvm/Analysis/SimplifyQuery.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/KnownFPClass.h"

namespace kdiff {

/// From how \p V is computed. False if that does not tell.
inline bool isKnownFinite(const llvm::Value &V, const llvm::DataLayout &DL) {
  llvm::SimplifyQuery Query(DL);
  return llvm::computeKnownFPClass(&V, llvm::fcInf | llvm::fcNan, Query)
      .isKnownNever(llvm::fcInf | llvm::fcNan);
}

/// i1: whether \p V is infinite or NaN.
inline llvm::Value *createIsNotFinite(llvm::IRBuilderBase &B, llvm::Value *V) {
  // Unordered: also for NaN.
  return B.CreateFCmpUEQ(B.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, V),
                         llvm::ConstantFP::getInfinity(V->getType()));
}

} // namespace kdiff
#endif // KDIFF_SUPPORT_FINITE_H
