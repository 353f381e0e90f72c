//===- Needs.h - Which primal values the reverse sweep reads ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which primal values does the reverse of each
// instruction, join and loop read?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_NEEDS_H
#define KDIFF_PLAN_NEEDS_H

#include "plan/Flow.h"
#include "shadow/Shadows.h"

namespace kdiff {

struct Need {
  llvm::Value *V = nullptr;
  /// Control flow and addresses: must be the very value of the forward sweep.
  /// Floating-point arithmetic is not repeated for it, since the back end may
  /// contract the repetition differently.
  bool Exact = false;
  const llvm::Instruction *NeededBy = nullptr;
};

/// The operands of the barrier \p CB that its mirror has as well: all, but
/// the predicate of a reduction.
llvm::SmallVector<unsigned, 2> mirroredOperands(const llvm::CallBase &CB);

/// In the order of the primal's blocks and instructions; without constants.
llvm::SmallVector<Need, 32> collectNeeds(const Subject &S, const Activity &A,
                                         const Shadows &Sh, const Flow &Fl);

} // namespace kdiff
#endif // KDIFF_PLAN_NEEDS_H
