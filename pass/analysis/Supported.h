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

/// Reports every construct of \p F that cannot be differentiated in mode \p M;
/// true if there is none. \p IsCallee: F is called by the primal (recursion),
/// so that its two sweeps do not share a stack frame.
bool checkSupported(const llvm::Function &F, const Activity &A, Mode M,
                    bool IsCallee);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_SUPPORTED_H
