//===- Seeds.h - What writes to seeds --------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which writes of the primal have a shadow that
// the reverse sweep reads and leaves as it is?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_SEEDS_H
#define KDIFF_PLAN_SEEDS_H

#include "shadow/Subject.h"
#include "llvm/ADT/SetVector.h"

namespace kdiff {

/// Those to memory that is marked kd_seed or kd_seednoneed.
llvm::SetVector<const llvm::Instruction *> writesToSeeds(const Subject &S);

} // namespace kdiff
#endif // KDIFF_PLAN_SEEDS_H
