//===- ShareOut.h - Iterations that any lane may run -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which reversed loops have iterations that do not
// depend on each other, so that the lanes of a warp may share them out?
//
// Where lanes make different numbers of iterations, or each walks over words
// side by side that are far from the other lanes', a warp runs all of its
// lanes' iterations one after the other, as many at a time as it has lanes:
// every lane is busy, and neighbouring lanes are at neighbouring words.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_SHAREOUT_H
#define KDIFF_PLAN_SHAREOUT_H

#include "plan/Plan.h"

namespace kdiff {

/// Decides for the innermost loops of \p P, whose other decisions are made but
/// for those of Finite.h. Additions in such a loop are not made by the thread
/// whose words they go to: exclusive ones become atomic. Reports the loops as
/// remarks.
void shareOut(Plan &P, const Subject &S, const Activity &A, const Shadows &Sh,
              const Flow &Fl, llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_PLAN_SHAREOUT_H
