//===- Invariants.h - What a reversed loop computes once -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which primal values that are loaded or computed
// again are the same in all iterations of a loop, so that the reverse sweep has
// them once, when it enters the loop?
//
// LLVM moves arithmetic out of loops by itself, but no loads that only some
// lanes make, nor what is computed from them.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_INVARIANTS_H
#define KDIFF_PLAN_INVARIANTS_H

#include "plan/Needs.h"
#include "plan/Plan.h"

namespace kdiff {

/// Notes them at the loops of \p P, which is complete otherwise.
void keepInvariants(Plan &P, llvm::ArrayRef<Need> Needs, const Subject &S,
                    const Flow &Fl, const llvm::LoopInfo &LI);

} // namespace kdiff
#endif // KDIFF_PLAN_INVARIANTS_H
