//===- Together.h - What a block's threads run together --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which code do all threads of a block run
// together, as often as each other?
//
// The proof: whoever runs it passes a barrier of the whole block before or
// behind it, with only loops of as many iterations for all threads in between.
// Threads that have ended may be missing.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_TOGETHER_H
#define KDIFF_PLAN_TOGETHER_H

#include "plan/EndValues.h"
#include "plan/Plan.h"

namespace llvm {
class PostDominatorTree;
} // namespace llvm

namespace kdiff {

/// Loops in which all threads are in the same iteration.
using EvenLoops = llvm::SmallPtrSet<const llvm::Loop *, 4>;

class Together {
public:
  Together(const Plan &P, const Subject &S, const Shadows &Sh,
           llvm::FunctionAnalysisManager &FAM);

  /// All threads of the block that have not ended run \p B together. \p Even
  /// gets the loops between it and the barrier that shows that.
  bool isRun(const llvm::BasicBlock *B, EvenLoops &Even);

  /// Tells what is the same for which threads.
  EndValues Values;

private:
  bool isEvenLoop(const llvm::Loop &L);
  bool isRunWith(const llvm::BasicBlock *B, const llvm::BasicBlock *Barrier,
                 const llvm::Loop *L) const;

  const Plan &P;
  const Subject &S;
  llvm::LoopInfo &LI;
  llvm::DominatorTree &DT;
  llvm::PostDominatorTree &PDT;
  Writers W;
  llvm::SmallVector<const llvm::Instruction *, 4> Barriers;
};

} // namespace kdiff
#endif // KDIFF_PLAN_TOGETHER_H
