//===- WarpSums.h - Sums over the lanes of a warp --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which instructions leave the sum of a number
// over all 32 lanes in each of them?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TARGET_WARPSUMS_H
#define KDIFF_TARGET_WARPSUMS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"
#include <optional>

namespace kdiff::nvptx {

constexpr unsigned WarpSize = 32;

/// A number of the lane whose own number differs in the bit Distance.
struct Exchange {
  llvm::Value *Of;
  unsigned Distance;
};

/// True if \p I is a shuffle in which all lanes take part.
bool isShuffleOfAll(const llvm::Instruction &I);

/// If \p V is what shfl.sync.bfly of all lanes gives, of a float, or of a
/// double by a wide shuffle (Sync.h).
std::optional<Exchange> exchangeOf(llvm::Value *V);

/// Five steps x + exchange(x), of distances that are all different. All lanes
/// have the same bits in the end, since addition is commutative.
struct WarpSum {
  llvm::Value *Input;
  llvm::SmallVector<unsigned, 5> Distances; ///< In the order of the steps.
  /// The steps' instructions, users first; the front is the sum. Nobody else
  /// uses what comes before it.
  llvm::SmallVector<llvm::Instruction *, 16> Steps;
};

/// The sum that \p Result is, of exchanges that \p ExchangeOf knows.
std::optional<WarpSum> matchWarpSum(
    llvm::Instruction &Result,
    llvm::function_ref<std::optional<Exchange>(llvm::Value *)> ExchangeOf =
        exchangeOf);

/// \p V (float or double) of the lane that differs in the bit \p Distance.
llvm::Value *createExchange(llvm::IRBuilderBase &B, llvm::Value *V,
                            unsigned Distance);
/// True if \p I gives all lanes what one of them has: a shuffle of a constant
/// lane number.
bool isBroadcast(const llvm::Instruction &I);
/// \p V (float, double, i32 or i64) of lane \p Lane.
llvm::Value *createBroadcast(llvm::IRBuilderBase &B, llvm::Value *V,
                             unsigned Lane);

} // namespace kdiff::nvptx
#endif // KDIFF_TARGET_WARPSUMS_H
