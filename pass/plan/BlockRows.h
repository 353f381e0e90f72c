//===- BlockRows.h - Sums over the rows of a block -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which words, each the same for the threads of a
// block that have the same threadIdx.x, do all rows of the block sum together,
// through shared memory; and which words are proven to be a row's?
//
// Else each warp adds its own sums by atomics, which shared memory has no
// instruction for in single precision: loops of compare-and-swap, in which the
// warps of the block disturb each other.
//
// The proof: the address depends on threadIdx.x alone and on what is the same
// for the block; and all threads of the block make the addition together
// (Together.h). Threads that have ended may be missing, which the addition
// tests.
//
// In the same way words are proven to be those of a row, which spares the lanes
// the test of it.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_BLOCKROWS_H
#define KDIFF_PLAN_BLOCKROWS_H

#include "plan/Plan.h"

namespace kdiff {

/// Makes those sums in \p P whose words rows likely share
/// (Accumulation::AcrossRows, RowUniform) BlockRows and Rows where that is
/// proven.
void proveRows(Plan &P, const Subject &S, const Shadows &Sh,
               llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_PLAN_BLOCKROWS_H
