//===- Batch.h - Several iterations of a loop, one by a lane ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is known of a loop whose iterations were
// put into one, so that lanes can share the work of what is the same for all?
//
// A packed value holds, in each lane, the number of one iteration: lane l has
// that of the iteration whose bits are those of l at Distances, the highest
// first.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LOWER_BATCH_H
#define KDIFF_LOWER_BATCH_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace kdiff {

/// A number of all lanes in each iteration.
using ByIteration = llvm::SmallVector<llvm::Value *, 8>;

/// A number of each iteration that one exchange of lanes left packed.
struct PackedSum {
  llvm::Value *Packed;
  ByIteration Words; ///< Told to all lanes.
};

struct Batch {
  llvm::BasicBlock *Body = nullptr; ///< All iterations, one after the other.
  unsigned Iterations = 0;          ///< A power of two.
  /// Log2(Iterations) of them; those of Sums.
  llvm::SmallVector<unsigned, 3> Distances;
  /// By the number of the instruction that they are copies of, in its order.
  llvm::MapVector<unsigned, ByIteration> Copies;
  /// Numbers of instructions that give all lanes the same, and of those whose
  /// copies depend on each other.
  llvm::DenseSet<unsigned> Uniform, Carried;
  /// Values from outside the body that are the same for all lanes.
  llvm::DenseSet<const llvm::Value *> Invariants;
  llvm::SmallVector<PackedSum, 2> Sums;

  /// The lane that has the number of \p Iteration.
  unsigned laneOf(unsigned Iteration) const;
  /// i1: whether the lane has an iteration with \p Bit (of Distances, the
  /// highest is 0) set. Made at \p B.
  llvm::Value *isUpper(llvm::IRBuilderBase &B, unsigned Bit) const;
};

/// Lets each lane compute for one iteration what is the same for all lanes and
/// needs nothing of the iteration before, where that is cheaper than to compute
/// it for each. New instructions are at the end of the body, in order.
void packUniform(Batch &Of);

} // namespace kdiff
#endif // KDIFF_LOWER_BATCH_H
