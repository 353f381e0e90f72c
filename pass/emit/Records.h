//===- Records.h - When records are left and taken -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where in the forward sweep is a loop's record
// left, and where in the reverse sweep is it taken?
//
// At the end of an iteration: at the latch, or behind an exit that is no latch.
// Where iterations share words: once a word is full, and behind the exit. What
// is left last is taken first, so both sides have the same order.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_RECORDS_H
#define KDIFF_EMIT_RECORDS_H

#include "emit/Reverse.h"

namespace kdiff {

/// The forward sweep's records of all loops. Splits blocks of the primal: comes
/// last.
void leaveRecords(ReverseContext &C);

/// At C.B, where the reverse of an iteration starts at the latch of the loop.
void takeAtLatch(llvm::BasicBlock *Header, ReverseContext &C);

/// At C.B, behind an exit; the counters of the loops in \p Next are those of
/// their last iterations.
void takeAtExit(const Step &Next, ReverseContext &C);

} // namespace kdiff
#endif // KDIFF_EMIT_RECORDS_H
