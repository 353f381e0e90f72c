//===- Marks.h - What the caller's marks promise ---------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does the function keep what a mark of memory
// (kd_seed, kd_fresh) says of it, so that its shadow may be treated so?
//
// kd_seed: the function writes the memory, or adds to it, and never reads it.
// Its shadow is the adjoint of the final content, and is not zeroed where the
// primal stores. That is right where no store follows, at the same place, what
// has read the seed.
//
// kd_fresh: the function only reads the memory. What its shadow holds at entry
// does not count, so the one addition to each place is a store. That is right
// where no other addition, of this thread or another, goes to the same place.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_MARKS_H
#define KDIFF_PLAN_MARKS_H

#include "analysis/Activity.h"
#include "shadow/Subject.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace kdiff {

/// By store to a seed: the integers of which each, if it is zero, says that a
/// later store overwrites the place (as out[count + i] does out[i]). Such a
/// store gets no adjoint.
using SeedTests = llvm::MapVector<const llvm::Instruction *,
                                  llvm::SmallSetVector<llvm::Value *, 1>>;

/// The tests that marks of \p S need at run time, if it keeps its marks. Else
/// that is reported, at the line of the access that breaks one.
std::optional<SeedTests> checkMarks(const Subject &S, const Activity &A,
                                    llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_PLAN_MARKS_H
