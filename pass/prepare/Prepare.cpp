//===- Prepare.cpp - The way to the canonical form --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which order is a primal brought into
// canonical form?
//
//===----------------------------------------------------------------------===//

#include "prepare/Prepare.h"
#include "prepare/Canonical.h"
#include "prepare/Steps.h"
#include "target/NVPTX.h"
#include "llvm/Analysis/CycleAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Scalar/LICM.h"
#include "llvm/Transforms/Scalar/LoopPassManager.h"
#include "llvm/Transforms/Scalar/LoopRotation.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/FixIrreducible.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/LowerSwitch.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include "llvm/Transforms/Utils/UnifyFunctionExitNodes.h"

using namespace llvm;
using namespace kdiff;

namespace {

/// Function pointers that inlining and SROA make known are inlined in the next
/// round; real code needs two.
constexpr unsigned MaxInlineRounds = 8;

void invalidate(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
}

/// Runs LLVM's passes as its pass manager would.
template <typename... Passes>
void run(Function &F, FunctionAnalysisManager &FAM, Passes &&...Ps) {
  FunctionPassManager FPM;
  (FPM.addPass(std::forward<Passes>(Ps)), ...);
  FAM.invalidate(F, FPM.run(F, FAM));
}

template <typename LoopPass> auto forLoops(LoopPass P, bool MemorySSA) {
  LoopPassManager LPM;
  LPM.addPass(std::move(P));
  return createFunctionToLoopPassAdaptor(std::move(LPM), MemorySSA);
}

/// No jump threading through loops, no lookup tables, no sinking: what makes
/// control flow smaller, not what makes it strange.
SimplifyCFGPass simplifyCFG() {
  return SimplifyCFGPass(SimplifyCFGOptions().needCanonicalLoops(true));
}

/// One function, values in registers.
void flatten(Function &F, FunctionAnalysisManager &FAM) {
  removeUnreachableBlocks(F);
  for (unsigned Round = 0; Round != MaxInlineRounds; ++Round) {
    simplifyIntrinsics(F);
    bool Resolved = resolveIndirectCalls(F);
    bool Inlined = inlineCalls(F);
    if (!Resolved && !Inlined && Round != 0)
      break;
    simplifyIntrinsics(F);
    invalidate(F, FAM);
    // The length of a copy may be an argument that was just inlined.
    run(F, FAM, PromotePass());
    expandCopies(F);
    invalidate(F, FAM);
    run(F, FAM, SROAPass(SROAOptions::PreserveCFG),
        EarlyCSEPass(/*UseMemorySSA=*/true));
  }
  bool Rewrote = rewriteAssembly(F);
  readAssembly(F);
  // Pointers are values now: what else they are used for tells more types.
  if (expandCopies(F) || Rewrote) {
    invalidate(F, FAM);
    run(F, FAM, SROAPass(SROAOptions::PreserveCFG));
  }
  expandComposites(F);
  recogniseFloatBits(F);
  joinShuffles(F);
  invalidate(F, FAM);
  // clang leaves scopes through a switch on where to go (cleanup.dest).
  run(F, FAM, EarlyCSEPass(/*UseMemorySSA=*/true), simplifyCFG(),
      JumpThreadingPass(), simplifyCFG());
  // Loops of one block by now.
  recogniseAtomics(F);
  invalidate(F, FAM);
}

/// Small loops gone, the others rotated.
void shapeLoops(Function &F, FunctionAnalysisManager &FAM) {
  run(F, FAM, forLoops(LoopRotatePass(), /*MemorySSA=*/false));
  if (!unrollSmallLoops(F, FAM))
    return;
  invalidate(F, FAM);
  run(F, FAM, SROAPass(SROAOptions::PreserveCFG),
      EarlyCSEPass(/*UseMemorySSA=*/true), simplifyCFG());
}

/// Two-way branches, reducible cycles, one returning block, no more blocks than
/// that takes.
void shapeControlFlow(Function &F, FunctionAnalysisManager &FAM) {
  run(F, FAM, LowerSwitchPass());
  removeUnreachableBlocks(F);
  invalidate(F, FAM);
  run(F, FAM, FixIrreduciblePass(), UnifyFunctionExitNodesPass());
  for (BasicBlock &B : make_early_inc_range(F))
    MergeBlockIntoPredecessor(&B);
  invalidate(F, FAM);
}

void hoistInvariants(Function &F, FunctionAnalysisManager &FAM) {
  dropMarkers(F);
  dropUnusedShuffles(F);
  invalidate(F, FAM);
  run(F, FAM, forLoops(LICMPass(LICMOptions()), /*MemorySSA=*/true),
      EarlyCSEPass(/*UseMemorySSA=*/true));
}

/// Nothing changes blocks after this.
void finishBlocks(Function &F, FunctionAnalysisManager &FAM) {
  run(F, FAM, LoopSimplifyPass(), LCSSAPass());
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  SplitAllCriticalEdges(
      F, CriticalEdgeSplittingOptions(&DT, &LI).setPreserveLCSSA());
  invalidate(F, FAM);
  run(F, FAM, LCSSAPass());
}

/// Local variables come first: their shadows are made behind them.
void gatherLocals(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  BasicBlock::iterator Rest = Entry.getFirstNonPHIOrDbgOrAlloca();
  for (Instruction &I : make_early_inc_range(make_range(Rest, Entry.end())))
    if (isa<AllocaInst>(I))
      I.moveBefore(Entry, Rest);
}

BasicBlock *findReturnBlock(Function &F) {
  for (BasicBlock &B : F)
    if (isa<ReturnInst>(B.getTerminator()))
      return &B;
  return nullptr;
}

} // namespace

std::optional<Prepared> kdiff::prepare(Function &Primal, Mode M,
                                       FunctionAnalysisManager &FAM) {
  Prepared P;
  P.F = clonePrimal(Primal);
  auto Refuse = [&] {
    FAM.clear(*P.F, P.F->getName());
    P.F->eraseFromParent();
    return std::nullopt;
  };

  flatten(*P.F, FAM);
  if (!readCheckpoints(*P.F, FAM) || !checkConstructs(*P.F))
    return Refuse();
  if (M == Mode::Reverse) {
    run(*P.F, FAM, LoopSimplifyPass());
    if (attachToTrees(*P.F, FAM))
      invalidate(*P.F, FAM);
  }
  shapeLoops(*P.F, FAM);
  inferPointerSpaces(*P.F, nvptx::isKernel(Primal));
  settleExtremes(*P.F);
  invalidate(*P.F, FAM);
  shapeControlFlow(*P.F, FAM);
  if (!checkControlFlow(*P.F, FAM))
    return Refuse();
  hoistInvariants(*P.F, FAM);
  if (M == Mode::Reverse) {
    run(*P.F, FAM, LoopSimplifyPass(), LCSSAPass());
    attachToRunningMaxima(*P.F, FAM);
  }
  finishBlocks(*P.F, FAM);

  gatherLocals(*P.F);
  P.ReturnBlock = findReturnBlock(*P.F);
  P.Loops = countLoops(*P.F, FAM);
  invalidate(*P.F, FAM);
  P.Joins = selectJoins(*P.F, FAM);
  invalidate(*P.F, FAM);
  assert(verifyCanonical(P, nullptr) && "prepare left its form incomplete");
  return P;
}
