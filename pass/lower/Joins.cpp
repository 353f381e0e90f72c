//===- Joins.cpp - Branches that are decided already ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a way through a join tell which branch is
// taken behind it?
//
// The reverse sweep begins where the primal ends, and asks again whether a
// thread returned early. Where each way into such a block decides its branch,
// each leads on by itself: the loads of both sweeps are then of one block, and
// nothing has to be carried through the join. LLVM's jump threading leaves
// targets alone whose branches may diverge, since it may keep lanes apart that
// met before; here those that part would have parted in any case.
//
//===----------------------------------------------------------------------===//

#include "lower/Steps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/SSAUpdater.h"
#include "llvm/Transforms/Utils/ValueMapper.h"

using namespace llvm;
using namespace kdiff;

/// What is done in a join is done on each way through it.
static constexpr unsigned MaxInstructions = 16;

/// What the conditional branch of \p From says of \p Condition where it is left
/// for \p To.
static std::optional<bool> impliedBy(const BasicBlock &From,
                                     const BasicBlock *To,
                                     const Value &Condition) {
  auto *Branch = dyn_cast<BranchInst>(From.getTerminator());
  if (!Branch || !Branch->isConditional() ||
      Branch->getSuccessor(0) == Branch->getSuccessor(1))
    return std::nullopt;
  return isImpliedCondition(Branch->getCondition(), &Condition,
                            From.getDataLayout(),
                            Branch->getSuccessor(0) == To);
}

/// Which way \p Join is left where it was entered from \p Pred, if known.
static std::optional<bool> decidedFrom(BasicBlock &Pred, BasicBlock &Join,
                                       const DominatorTree &DT) {
  const Value *Condition =
      cast<BranchInst>(Join.getTerminator())->getCondition();
  if (auto *Phi = dyn_cast<PHINode>(Condition);
      Phi && Phi->getParent() == &Join)
    Condition = Phi->getIncomingValueForBlock(&Pred);
  if (auto *Constant = dyn_cast<ConstantInt>(Condition))
    return Constant->isOne();
  if (auto Known = impliedBy(Pred, &Join, *Condition))
    return Known;
  const DomTreeNode *Node = DT.getNode(&Pred);
  while (Node && (Node = Node->getIDom())) {
    BasicBlock *Above = Node->getBlock();
    for (BasicBlock *Next : successors(Above))
      if (DT.dominates(BasicBlockEdge(Above, Next), &Pred))
        if (auto Known = impliedBy(*Above, Next, *Condition))
          return Known;
  }
  return std::nullopt;
}

static bool canBeCopied(const BasicBlock &B) {
  unsigned Size = 0;
  for (const Instruction &I : B) {
    auto *Call = dyn_cast<CallBase>(&I);
    if (I.getType()->isTokenTy() || isa<AllocaInst>(I) ||
        (Call && (Call->isConvergent() || Call->cannotDuplicate())))
      return false;
    Size += !isa<PHINode>(I) && !I.isDebugOrPseudoInst();
  }
  return Size <= MaxInstructions;
}

using Ways = SmallMapVector<BasicBlock *, BasicBlock *, 4>;

/// By predecessor, where \p Join leads to from there; empty if not all are
/// decided.
static Ways waysThrough(BasicBlock &Join, const LoopInfo &LI,
                        const DominatorTree &DT) {
  auto *Branch = dyn_cast<BranchInst>(Join.getTerminator());
  if (!Branch || !Branch->isConditional() || LI.isLoopHeader(&Join) ||
      pred_size(&Join) < 2 || !canBeCopied(Join))
    return {};
  Ways Found;
  for (BasicBlock *Pred : predecessors(&Join)) {
    std::optional<bool> Known = decidedFrom(*Pred, Join, DT);
    if (!Known || Found.contains(Pred) ||
        !isa<BranchInst>(Pred->getTerminator()))
      return {};
    Found[Pred] = Branch->getSuccessor(*Known ? 0 : 1);
  }
  return Found;
}

/// A copy of \p Join for where it is entered from \p Pred and left for \p Next.
static BasicBlock *copyFor(BasicBlock &Join, BasicBlock *Pred, BasicBlock *Next,
                           ValueToValueMapTy &Map) {
  BasicBlock *Copy = BasicBlock::Create(Join.getContext(), Join.getName(),
                                        Join.getParent(), &Join);
  for (Instruction &I : Join) {
    if (auto *Phi = dyn_cast<PHINode>(&I)) {
      Map[Phi] = Phi->getIncomingValueForBlock(Pred);
      continue;
    }
    if (I.isTerminator())
      break;
    Instruction *Again = I.clone();
    Again->insertInto(Copy, Copy->end());
    Again->setName(I.getName());
    RemapInstruction(Again, Map,
                     RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    Map[&I] = Again;
  }
  BranchInst::Create(Next, Copy)
      ->setDebugLoc(Join.getTerminator()->getDebugLoc());
  Pred->getTerminator()->replaceUsesOfWith(&Join, Copy);
  for (PHINode &Phi : Next->phis()) {
    Value *V = Phi.getIncomingValueForBlock(&Join);
    Value *Mapped = Map.lookup(V);
    Phi.addIncoming(Mapped ? Mapped : V, Copy);
  }
  return Copy;
}

/// Leads the ways through \p Join past it.
static void part(BasicBlock &Join, const Ways &All) {
  MapVector<Instruction *, SmallVector<std::pair<BasicBlock *, Value *>, 4>>
      Values;
  for (auto [Pred, Next] : All) {
    ValueToValueMapTy Map;
    BasicBlock *Copy = copyFor(Join, Pred, Next, Map);
    for (Instruction &I : Join)
      if (!I.isTerminator())
        Values[&I].emplace_back(Copy, Map.lookup(&I));
  }
  for (BasicBlock *Next : successors(&Join))
    Next->removePredecessor(&Join, /*KeepOneInputPHIs=*/true);
  // Out of the way of what is computed from now on from predecessors.
  Join.getTerminator()->eraseFromParent();
  new UnreachableInst(Join.getContext(), &Join);
  for (auto &[I, Copies] : Values) {
    SmallVector<Use *, 8> Outside;
    for (Use &U : I->uses())
      if (cast<Instruction>(U.getUser())->getParent() != &Join)
        Outside.push_back(&U);
    SSAUpdater Updater;
    Updater.Initialize(I->getType(), I->getName());
    for (auto [Copy, V] : Copies)
      Updater.AddAvailableValue(Copy, V);
    for (Use *U : Outside)
      Updater.RewriteUse(*U);
  }
  DeleteDeadBlock(&Join);
}

/// Parts one join of \p F. False if there is none.
static bool partNext(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  for (BasicBlock &B : F)
    if (Ways All = waysThrough(B, LI, DT); !All.empty()) {
      part(B, All);
      FAM.invalidate(F, PreservedAnalyses::none());
      return true;
    }
  return false;
}

void kdiff::partJoins(Function &F, FunctionAnalysisManager &FAM) {
  if (!partNext(F, FAM))
    return;
  while (partNext(F, FAM)) {
  }
  for (BasicBlock &B : make_early_inc_range(F))
    MergeBlockIntoPredecessor(&B);
  FAM.invalidate(F, PreservedAnalyses::none());
}
