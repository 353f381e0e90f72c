//===- SumsTogether.cpp - Sums over lanes of several iterations -----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see SumsTogether.h.
//
//===----------------------------------------------------------------------===//

#include "plan/SumsTogether.h"
#include "rules/Rules.h"
#include "support/Diagnostics.h"
#include "target/WarpSums.h"
#include "llvm/ADT/bit.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

/// More iterations bring little: one exchange a sum, and one to tell it, are
/// the limit.
static constexpr unsigned MaxIterations = 8, MinIterations = 4;
/// Of all the iterations together: primal instructions (a function counts as
/// several, since some are inlined) and adjoint sums.
static constexpr unsigned MaxInstructions = 1024, SizeOfCall = 16, MaxSums = 32;

/// True if every iteration runs all of \p L, but perhaps for the way back.
static bool isStraight(const Loop &L) {
  const BasicBlock *Exiting = L.getExitingBlock();
  return L.isInnermost() && Exiting && all_of(L.blocks(), [&](BasicBlock *B) {
           return B == Exiting || B->getSingleSuccessor();
         });
}

/// True if \p Sum of an iteration depends on that of an earlier one.
static bool isCarried(const nvptx::WarpSum &Sum, const Loop &L) {
  SmallVector<const Instruction *, 16> Work{Sum.Steps.front()};
  SmallPtrSet<const Instruction *, 32> Seen;
  while (!Work.empty())
    for (const User *U : Work.pop_back_val()->users()) {
      auto *I = cast<Instruction>(U);
      if (I == Sum.Input)
        return true;
      if (L.contains(I) && Seen.insert(I).second)
        Work.push_back(I);
    }
  return false;
}

/// How many iterations of \p L sum together; 0: each alone.
static unsigned iterationsOf(const Loop &L, unsigned Width) {
  unsigned Size = 0, Sums = 0;
  for (BasicBlock *B : L.blocks()) {
    Size += B->sizeWithoutDebug();
    for (Instruction &I : *B) {
      if (isa<CallBase>(I) && findRule(I))
        Size += SizeOfCall;
      if (auto Sum = nvptx::matchWarpSum(I); Sum && !isCarried(*Sum, L))
        ++Sums;
    }
  }
  if (Sums == 0)
    return 0;
  unsigned Most = std::min(
      {MaxIterations, MaxInstructions / Size, MaxSums / (Sums * Width)});
  return Most < MinIterations ? 0 : bit_floor(Most);
}

void sumTogether(Plan &P, const Subject &S, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(*S.P.F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(*S.P.F);
  for (auto &[Header, Shape] : S.P.Loops) {
    const Loop &L = *LI.getLoopFor(Header);
    LoopPlan How = P.loop(Header);
    if (!isStraight(L) || How.JoinsLate || How.Replayed.Length || How.Chunk ||
        P.Records.contains(Header) || any_of(L.blocks(), [&](BasicBlock *B) {
          return P.Refills.contains(B);
        }))
      continue;
    unsigned Together = iterationsOf(L, S.Width);
    unsigned Few = SE.getSmallConstantMaxTripCount(&L);
    if (Together == 0 || (Few != 0 && Few <= Together))
      continue;
    P.Loops[Header].Together = Together;
    remark("Together", *Shape.Latch->getTerminator(),
           "the warp's sums of " + Twine(Together) +
               " iterations are made together, and what is computed from them "
               "by a lane for each");
  }
}

} // namespace kdiff
