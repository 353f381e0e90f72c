//===- Unroll.cpp - Loops are unrolled ------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Unroll.h; and, how does what the iterations
// of a replayed segment start from get into registers?
//
// An array is kept in registers only where each access names its element. LLVM
// is not asked by metadata to unroll: it warns the user where it cannot.
//
//===----------------------------------------------------------------------===//

#include "lower/Unroll.h"
#include "lower/Abstract.h"
#include "lower/Steps.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace kdiff;

/// A reversed loop leaves from its last block but one. What the last one does
/// may be done before that; then the loop ends where it is left, as the
/// unroller wants it.
static void foldLatch(BasicBlock *Latch) {
  BasicBlock *Exiting = Latch->getSinglePredecessor();
  auto *Backedge = dyn_cast<BranchInst>(Latch->getTerminator());
  if (!Exiting || !Backedge || Backedge->isConditional() ||
      !isa<BranchInst>(Exiting->getTerminator()) || Exiting == Latch)
    return;
  FoldSingleEntryPHINodes(Latch);
  if (!all_of(make_range(Latch->begin(), Backedge->getIterator()),
              [](const Instruction &I) {
                return isSafeToSpeculativelyExecute(&I);
              }))
    return;
  while (&Latch->front() != Backedge)
    Latch->front().moveBefore(Exiting->getTerminator()->getIterator());
  TryToSimplifyUncondBranchFromEmptyBlock(Latch);
}

/// Where a latch was split off, what its loop had as metadata is still there,
/// too.
static void dropOldMetadata(BasicBlock &Latch, const LoopInfo &LI) {
  BasicBlock *Exiting = Latch.getSinglePredecessor();
  if (Exiting && none_of(successors(Exiting), [&](BasicBlock *B) {
        return LI.isLoopHeader(B) && LI.getLoopFor(B)->contains(Exiting);
      }))
    Exiting->getTerminator()->setMetadata(LLVMContext::MD_loop, nullptr);
}

void kdiff::endLoopsAtLatches(Function &F, FunctionAnalysisManager &FAM,
                              function_ref<bool(const Loop &)> IsWanted) {
  FAM.invalidate(F, SimplifyCFGPass().run(F, FAM));
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  SmallVector<BasicBlock *, 4> Latches;
  for (Loop *L : LI.getLoopsInPreorder())
    if (BasicBlock *Latch = IsWanted(*L) ? L->getLoopLatch() : nullptr) {
      Latches.push_back(Latch);
      dropOldMetadata(*Latch, LI);
    }
  for (BasicBlock *Latch : Latches)
    foldLatch(Latch);
  FAM.invalidate(F, PreservedAnalyses::none());
  FAM.invalidate(F, LoopSimplifyPass().run(F, FAM));
  FAM.invalidate(F, LCSSAPass().run(F, FAM));
}

bool kdiff::endsAtLatch(const Loop &L) {
  return L.getExitingBlock() && L.getExitingBlock() == L.getLoopLatch();
}

static LoopUnrollResult unroll(Loop &L, const UnrollLoopOptions &Options,
                               Function &F, FunctionAnalysisManager &FAM) {
  return UnrollLoop(&L, Options, &FAM.getResult<LoopAnalysis>(F),
                    &FAM.getResult<ScalarEvolutionAnalysis>(F),
                    &FAM.getResult<DominatorTreeAnalysis>(F),
                    &FAM.getResult<AssumptionAnalysis>(F),
                    &FAM.getResult<TargetIRAnalysis>(F),
                    &FAM.getResult<OptimizationRemarkEmitterAnalysis>(F),
                    /*PreserveLCSSA=*/true);
}

bool kdiff::unrollWithRest(Loop &L, unsigned Count, Function &F,
                           FunctionAnalysisManager &FAM) {
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  L.setLoopID(nullptr);
  if (!endsAtLatch(L) || !SE.hasLoopInvariantBackedgeTakenCount(&L))
    return false;
  UnrollLoopOptions Options = {};
  Options.Count = Count;
  Options.Force = true;
  Options.Runtime = true;
  Options.AllowExpensiveTripCount = true;
  Options.ForgetAllSCEV = true;
  if (unroll(L, Options, F, FAM) != LoopUnrollResult::PartiallyUnrolled)
    return false;
  L.setLoopAlreadyUnrolled();
  return true;
}

static bool isMarked(const Loop *L) {
  return getBooleanLoopAttribute(L, UnrollAttribute);
}

void kdiff::unrollSegments(Function &F, FunctionAnalysisManager &FAM) {
  if (none_of(FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder(), isMarked))
    return;
  FAM.invalidate(F, LoopSimplifyPass().run(F, FAM));
  FAM.invalidate(F, LCSSAPass().run(F, FAM));
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops)) { // Inner ones first.
    if (!isMarked(L))
      continue;
    auto Number = getOptionalIntLoopAttribute(L, UnrollAttribute);
    L->setLoopID(nullptr);
    UnrollLoopOptions Options = {};
    Options.Count = Number ? *Number : SE.getSmallConstantMaxTripCount(L);
    Options.Force = true;
    Options.ForgetAllSCEV = true;
    if (Options.Count > 1)
      unroll(*L, Options, F, FAM);
  }
  FAM.invalidate(F, PreservedAnalyses::none());
}
