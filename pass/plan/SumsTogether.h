//===- SumsTogether.h - Sums over lanes of several iterations ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which loops, that sum over the lanes of a
// warp in each iteration, are the sums of several iterations made together?
//
// N sums take N - 1 + log2(32 / N) exchanges together and N more to tell all
// lanes, and one by one 5 N. What is computed from them, the same for all
// lanes, is computed by each lane for one iteration (lower/WarpSums.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_SUMSTOGETHER_H
#define KDIFF_PLAN_SUMSTOGETHER_H

#include "plan/Plan.h"

namespace kdiff {

/// Decides for the innermost loops of \p P, in both sweeps; their other
/// decisions are made. Reports the loops as remarks.
void sumTogether(Plan &P, const Subject &S, llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_PLAN_SUMSTOGETHER_H
