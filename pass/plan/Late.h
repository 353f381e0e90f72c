//===- Late.h - Loops that lanes leave at different times ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which loops do the lanes of a warp leave one
// after the other, so that they have to join the reversed loop late?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_LATE_H
#define KDIFF_PLAN_LATE_H

#include "plan/Plan.h"

namespace kdiff {

/// Notes it at the reversed loops of \p P.
void joinLate(Plan &P, const Subject &S, const Flow &Fl,
              const llvm::DominatorTree &DT);

/// Tells the user, at the source line.
void remarkLate(const Plan &P, const Subject &S);

} // namespace kdiff
#endif // KDIFF_PLAN_LATE_H
