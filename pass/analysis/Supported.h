//===- Supported.h - What can be differentiated, and what not --*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does every instruction that the derivative
// depends on have an emitter that is right for it?
//
// Right or refused: what is not known to be right is reported.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_SUPPORTED_H
#define KDIFF_ANALYSIS_SUPPORTED_H

#include "analysis/Activity.h"

namespace kdiff {

/// What the reverse sweep has left of the forward sweep's memory.
enum class Left {
  All,    ///< Both are one call.
  Shared, ///< Not the stack frame: the primal calls the function (recursion).
  Global  ///< Nor shared memory: the sweeps are in two launches (split mode).
};

/// Reports every construct of \p F that cannot be differentiated in mode \p M;
/// true if there is none.
bool checkSupported(const llvm::Function &F, const Activity &A, Mode M,
                    Left Memory);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_SUPPORTED_H
