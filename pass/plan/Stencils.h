//===- Stencils.h - Additions that other threads make -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which additions does the thread compute that
// has the word for its own, instead of the one that read it?
//
// A stencil reads u[i - 1] and u[i + 1] where i is the thread's own point. What
// it adds to their adjoints, a function of the thread's index and of memory
// that nobody writes, the threads of those points can compute as well: they sum
// what their neighbours would add, with one atomic a word.
//
// Whose own word it is, is guessed. The thread that reads and the one that
// gathers make the same test of the guess: does the other exist, and is the
// address its own word? So each addition is made once, whatever the guess is
// worth.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_STENCILS_H
#define KDIFF_PLAN_STENCILS_H

#include "plan/Additions.h"

namespace kdiff {

class EndValues;
class Writers;

/// Decides for the contended additions in \p Adds that are made at once.
void gatherStencils(Additions &Adds, const Subject &S, const Activity &A,
                    const Shadows &Sh, Writers &W, EndValues &End,
                    const llvm::LoopInfo &LI);

} // namespace kdiff
#endif // KDIFF_PLAN_STENCILS_H
