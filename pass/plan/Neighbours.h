//===- Neighbours.h - Additions to near words, at the end ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which atomic additions does a thread put off to
// the end of the sweep, because it adds to the same word more than once, or
// because the lanes beside it add to the same word?
//
// A stencil reads u[i - 1], u[i] and u[i + 1], at borders under a condition. At
// the end all threads are there, with -0.0 for what they did not read: a word's
// three addends are in three neighbouring lanes, which one exchange brings
// together for one atomic. What a thread read on several ways, it adds once.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_NEIGHBOURS_H
#define KDIFF_PLAN_NEIGHBOURS_H

#include "plan/Additions.h"

namespace kdiff {

class EndValues;
class Uniformity;
class Writers;

/// Decides for the contended additions in \p Adds that are made at once. \p Row
/// tells what is the same for the threads of a row of the block.
void joinNeighbours(Additions &Adds, const Subject &S, const Shadows &Sh,
                    const Activity &A, Writers &W, EndValues &End,
                    const Uniformity &Row, llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_PLAN_NEIGHBOURS_H
