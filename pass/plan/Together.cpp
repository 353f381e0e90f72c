//===- Together.cpp - What a block's threads run together -----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Together.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Together.h"
#include "analysis/Sharing.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"

using namespace llvm;

namespace kdiff {

Together::Together(const Plan &P, const Subject &S, const Shadows &Sh,
                   FunctionAnalysisManager &FAM)
    : Values(S, Sh, W, FAM.getResult<DominatorTreeAnalysis>(*S.P.F),
             FAM.getResult<LoopAnalysis>(*S.P.F)),
      P(P), S(S), LI(FAM.getResult<LoopAnalysis>(*S.P.F)),
      DT(FAM.getResult<DominatorTreeAnalysis>(*S.P.F)),
      PDT(FAM.getResult<PostDominatorTreeAnalysis>(*S.P.F)),
      W(*S.P.F, FAM.getResult<AAManager>(*S.P.F)) {
  for (const Instruction &I : instructions(*S.P.F))
    if (isBlockBarrier(I))
      Barriers.push_back(&I);
}

/// All threads that enter the loop make the same number of iterations.
bool Together::isEvenLoop(const Loop &L) {
  auto It = S.P.Loops.find(L.getHeader());
  if (It == S.P.Loops.end() || P.loop(L.getHeader()).Replayed.Length)
    return false;
  const LoopShape &Shape = It->second;
  return Shape.BackedgesAtExit.size() == 1 && L.getExitingBlock() &&
         Values.isBlockUniform(Shape.BackedgesAtExit.front().second);
}

/// Whoever runs \p B runs the block \p Barrier as well, once each in an
/// iteration of \p L (null: in a call), and the other way round.
bool Together::isRunWith(const BasicBlock *B, const BasicBlock *Barrier,
                         const Loop *L) const {
  if (LI.getLoopFor(Barrier) != L)
    return false;
  if (L && (!DT.dominates(B, L->getLoopLatch()) ||
            !DT.dominates(Barrier, L->getLoopLatch())))
    return false;
  return (DT.dominates(B, Barrier) && PDT.dominates(Barrier, B)) ||
         (DT.dominates(Barrier, B) && PDT.dominates(B, Barrier));
}

/// All threads of the block that have not ended run \p B together. \p Even gets
/// the loops between it and the barrier that shows that.
bool Together::isRun(const BasicBlock *B, EvenLoops &Even) {
  const Loop *L = LI.getLoopFor(B);
  while (true) {
    if (any_of(Barriers, [&](const Instruction *Barrier) {
          return isRunWith(B, Barrier->getParent(), L);
        }))
      return true;
    if (!L || !isEvenLoop(*L) || !DT.dominates(B, L->getExitingBlock()))
      return false;
    Even.insert(L);
    B = L->getHeader();
    L = L->getParentLoop();
  }
}

} // namespace kdiff
