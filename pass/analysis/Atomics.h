//===- Atomics.h - Which atomic operations have a derivative ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which atomic operations of the primal can be
// differentiated, and with which words are the others refused?
//
// An addition is one, whoever adds when. Of a maximum or minimum the winner
// has the derivative, and who wins is known when all threads have had their
// turn: within a block, behind the next barrier (prepare/Extremes.cpp makes
// stores of those); of memory that blocks share, behind the launch: in split
// mode (prepare/Claims.cpp). Of exchanges nobody knows the order, not even
// then.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_ATOMICS_H
#define KDIFF_ANALYSIS_ATOMICS_H

#include "analysis/Activity.h"
#include <optional>

namespace kdiff {

struct Refusal {
  llvm::StringRef What, Remedy;
};

/// Why \p I (an atomicrmw or cmpxchg) cannot be differentiated; nothing if it
/// can, or if it touches nothing differentiated.
std::optional<Refusal> refuseAtomic(const llvm::Instruction &I,
                                    const Activity &A);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_ATOMICS_H
