//===- Halving.h - Halved and doubled counters ------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what has an integer become that each iteration
// shifts, halves or doubles, as a function of the iterations' number?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PREPARE_HALVING_H
#define KDIFF_PREPARE_HALVING_H

#include "prepare/Prepare.h"
#include "llvm/IR/IRBuilder.h"

namespace kdiff {

/// The value of \p P, a phi of the loop's header, from what it starts with and
/// the loop's counter, at \p B behind the header's phis. Null if \p P is not
/// shifted by a constant, nor multiplied or divided by a power of two, in each
/// iteration.
llvm::Value *shiftedByCount(llvm::IRBuilderBase &B, llvm::PHINode &P,
                            const LoopShape &Shape);

} // namespace kdiff
#endif // KDIFF_PREPARE_HALVING_H
