//===- Unwanted.h - Primal work that nobody wants --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which effects of the primal need not happen,
// since the caller does not want them and the derivative does not need them?
//
// Writes to memory that is marked as not wanted (kd_dupnoneed, kd_seednoneed)
// and that nobody reads who is needed himself; of a kernel, the same for its
// shared memory, and barriers when there is nothing left that they order. A
// reduction's gradient does not reduce then, and a scatter's does not scatter.
// What only led there has no effect and goes with dead code.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_UNWANTED_H
#define KDIFF_PLAN_UNWANTED_H

#include "shadow/Subject.h"
#include "llvm/IR/PassManager.h"

namespace kdiff {

struct Plan;

/// The instructions with an unwanted effect, in program order; nobody needs
/// their results either. \p P says what the reverse sweep needs; null (forward
/// mode): all that the primal computes.
llvm::SmallVector<llvm::Instruction *, 8>
findUnwanted(const Subject &S, const Plan *P,
             llvm::FunctionAnalysisManager &FAM);

/// Takes them out of the function.
void eraseUnwanted(llvm::ArrayRef<llvm::Instruction *> Unwanted);

} // namespace kdiff
#endif // KDIFF_PLAN_UNWANTED_H
