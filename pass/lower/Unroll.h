//===- Unroll.h - Loops of several iterations ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a loop get several iterations into one,
// whatever its trip count?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LOWER_UNROLL_H
#define KDIFF_LOWER_UNROLL_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/PassManager.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace kdiff {

/// Lets those loops of \p F that \p IsWanted accepts end where they are left,
/// as the unroller wants it, where that can be; brings all loops into
/// simplified and closed form.
void endLoopsAtLatches(llvm::Function &F, llvm::FunctionAnalysisManager &FAM,
                       llvm::function_ref<bool(const llvm::Loop &)> IsWanted);

/// The loop is left at its end alone, so that what always runs before the end
/// runs in every iteration.
bool endsAtLatch(const llvm::Loop &L);

/// Makes every \p Count iterations of \p L one, with a loop behind it for those
/// that are left over. Takes its metadata off. False if that cannot be; a loop
/// of no more iterations than that may be gone then.
bool unrollWithRest(llvm::Loop &L, unsigned Count, llvm::Function &F,
                    llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_LOWER_UNROLL_H
