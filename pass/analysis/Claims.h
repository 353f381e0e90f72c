//===- Claims.h - What happens between maxima of one word ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: may a word of global memory be accessed between
// two atomic maxima or minima of it?
//
// Then the derivative of the word at that time would belong to who had put its
// content, and only who puts the last one is known (prepare/Claims.cpp). What
// comes before all of them, or behind all of them, is in order.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_CLAIMS_H
#define KDIFF_ANALYSIS_CLAIMS_H

#include "analysis/Activity.h"

namespace kdiff {

/// An access of differentiated memory that control may come to between claims.
struct AccessBetween {
  llvm::Instruction *I;
  /// Where; null where several places are accessed, or of an unknown size.
  llvm::Value *Pointer;
  /// It surely accesses a word that is claimed.
  bool IsSame;
};

/// Reports what nobody could tell the winner of; true if there is nothing. An
/// access that is not surely to a claimed word is left to the launch.
bool checkClaims(const llvm::Function &F, const Activity &A);

/// In the order of the function's instructions.
llvm::SmallVector<AccessBetween, 4>
accessesBetweenClaims(const llvm::Function &F, const Activity &A);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_CLAIMS_H
