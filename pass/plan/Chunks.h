//===- Chunks.h - Sums of several iterations at once -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which loops do the lanes of a warp sum what
// several iterations add, in one go?
//
// N words of a warp take N - 1 + log2(32 / N) exchanges together, and one by
// one 5 N (runtime/device/sums.cpp). So a loop that adds a few words in each
// iteration makes those of several iterations together, at addresses that are a
// constant apart.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_CHUNKS_H
#define KDIFF_PLAN_CHUNKS_H

#include "plan/Plan.h"

namespace kdiff {

/// Decides for the innermost loops of \p P, whose other decisions are made.
void chunkSums(Plan &P, const Subject &S, const Activity &A, const Shadows &Sh,
               const Flow &Fl, llvm::FunctionAnalysisManager &FAM);

/// Reports the loops as remarks.
void remarkChunks(const Plan &P, const Subject &S);

} // namespace kdiff
#endif // KDIFF_PLAN_CHUNKS_H
