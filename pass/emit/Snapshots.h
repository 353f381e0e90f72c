//===- Snapshots.h - Few snapshots of a long loop --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a replayed loop that may keep k
// snapshots at a time find the state in which a segment starts?
//
// The snapshots are a stack in the thread's local memory, in the order of the
// iterations they are of; the first is of iteration 0. The forward sweep takes
// some. The reverse sweep, which needs the state of each segment's first
// iteration, the last segment's first, drops the snapshots behind it, runs the
// loop from the last one before it, and takes new ones on the way.
//
// How far one is from the next (kd.checkpoint.distance) is the binomial
// schedule of A. Griewank and A. Walther, "Algorithm 799: revolve", ACM
// Transactions on Mathematical Software 26 (2000), for what is left to run and
// to keep. While a trip count is not known, distances double.
//
// Where there is one for each segment of the warp's largest trip count, none is
// searched: the state of the segment before is fetched while one is reversed.
//
// Lanes run together where they have the same schedule: it is made for the
// warp's largest trip count, and a lane whose loop ends earlier waits.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_SNAPSHOTS_H
#define KDIFF_EMIT_SNAPSHOTS_H

#include "emit/PrimalValues.h"

namespace kdiff {

class Snapshots {
public:
  /// Makes the slots of the loops that have snapshots.
  Snapshots(Subject &S, const Plan &P);

  /// The forward sweep's snapshots of the loop. Splits blocks of the primal.
  void leave(const LoopShape &Shape, PrimalValues &Values);

  /// At \p B, where the reverse sweep enters the loop, with the segment of
  /// iteration \p First.
  void enter(llvm::IRBuilderBase &B, const LoopShape &Shape, llvm::Value *First,
             PrimalValues &Values);

  /// At \p B, in the reverse sweep: makes the state of iteration \p First the
  /// primal values. The loop's own last iteration is \p Last.
  void seek(llvm::IRBuilderBase &B, const LoopShape &Shape, llvm::Value *First,
            llvm::Value *Last, PrimalValues &Values);

private:
  struct Stack {
    llvm::AllocaInst *Of = nullptr;   ///< The iterations they are of.
    llvm::AllocaInst *Used = nullptr; ///< How many there are; i32.
    llvm::AllocaInst *Due = nullptr; ///< When the forward sweep takes the next.
    llvm::AllocaInst *Segments = nullptr; ///< Of the loop, if known; i32.
    /// If so: whether each has a snapshot; i1.
    llvm::AllocaInst *HasAll = nullptr;
  };
  llvm::Value *placeOf(llvm::IRBuilderBase &B, const Stack &St,
                       llvm::Value *At);
  void take(llvm::IRBuilderBase &B, const LoopShape &Shape,
            llvm::Value *Iteration, bool IsForward, PrimalValues &Values);
  llvm::Value *left(llvm::IRBuilderBase &B, const LoopShape &Shape);
  void fetch(llvm::IRBuilderBase &B, const LoopShape &Shape,
             llvm::Value *Segment, PrimalValues &Values);
  void search(llvm::IRBuilderBase &B, const LoopShape &Shape,
              llvm::Value *First, llvm::Value *Last, PrimalValues &Values);
  void run(llvm::IRBuilderBase &B, const LoopShape &Shape, llvm::Value *From,
           llvm::Value *To, llvm::Value *Last, PrimalValues &Values);
  const Segment &segment(const LoopShape &Shape) const;
  void start(const LoopShape &Shape);

  Subject &S;
  const Plan &P;
  llvm::DenseMap<llvm::BasicBlock *, Stack> Stacks;
};

} // namespace kdiff
#endif // KDIFF_EMIT_SNAPSHOTS_H
