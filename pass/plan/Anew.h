//===- Anew.h - Branches that the reverse sweep decides anew ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which branches need not be taken in the reverse
// sweep as the forward sweep took them?
//
// A floating-point condition is kept, since arithmetic that is repeated may be
// rounded differently, so that the derivative would be that of one side and the
// values those of the other. But where nothing that the forward sweep leaves
// depends on the side (the results are unwanted), there is one decision alone:
// that of the reverse sweep.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_ANEW_H
#define KDIFF_PLAN_ANEW_H

#include "plan/Flow.h"
#include "plan/Needs.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace kdiff {

struct AnewBranch {
  llvm::BasicBlock *Join = nullptr; ///< Where its two sides meet.
  llvm::Value *Selector = nullptr;
  /// What depends on the side. The reverse sweep must have none of these from
  /// the forward sweep.
  llvm::SmallPtrSet<const llvm::Value *, 16> Dependents;

  /// True if one of \p Needs is of a dependent, and not in the reverse of the
  /// join or of a side, where the decision is made once for both.
  bool isDecidedTwice(llvm::ArrayRef<Need> Needs) const;
};

/// Candidates: their sides have no effect, and what depends on them goes to
/// memory that nobody wants or reads.
llvm::SmallVector<AnewBranch, 2> findAnew(const Subject &S, const Flow &Fl);

} // namespace kdiff
#endif // KDIFF_PLAN_ANEW_H
