//===- StencilSweeps.cpp - Two sweeps become one --------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do both sweeps of a stencil branch once, by
// the primal's own conditions?
//
// What neighbours do follows from these: they must be seen.
//
//===----------------------------------------------------------------------===//

#include "lower/Stencils.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/DomTreeUpdater.h"
#include "llvm/Analysis/LazyValueInfo.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/Transforms/Scalar/JumpThreading.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;
using namespace kdiff;

/// True if \p V is chosen from constants by conditions, at most \p Left times.
static bool isChoice(const Value *V, unsigned &Left) {
  if (isa<ConstantInt>(V))
    return true;
  auto *Select = dyn_cast<SelectInst>(V);
  return Select && Select->getType()->isIntegerTy() && Left-- != 0 &&
         isChoice(Select->getTrueValue(), Left) &&
         isChoice(Select->getFalseValue(), Left);
}

/// Where \p Switch goes for \p V, at the end of \p From.
static void branchBy(Value *V, SwitchInst &Switch, BasicBlock *From) {
  IRBuilder<> B(From);
  B.SetCurrentDebugLocation(Switch.getDebugLoc());
  if (auto *C = dyn_cast<ConstantInt>(V)) {
    BasicBlock *To = Switch.findCaseValue(C)->getCaseSuccessor();
    for (PHINode &Phi : To->phis())
      Phi.addIncoming(Phi.getIncomingValueForBlock(Switch.getParent()), From);
    B.CreateBr(To);
    return;
  }
  auto *Select = cast<SelectInst>(V);
  auto Side = [&] {
    return BasicBlock::Create(From->getContext(), "side", From->getParent());
  };
  BasicBlock *True = Side(), *False = Side();
  B.CreateCondBr(Select->getCondition(), True, False);
  branchBy(Select->getTrueValue(), Switch, True);
  branchBy(Select->getFalseValue(), Switch, False);
}

void kdiff::branchByConditions(Function &F) {
  constexpr unsigned MaxChoices = 8;
  for (BasicBlock &Block : make_early_inc_range(F)) {
    auto *Switch = dyn_cast<SwitchInst>(Block.getTerminator());
    unsigned Left = MaxChoices;
    if (!Switch || !isa<SelectInst>(Switch->getCondition()) ||
        !isChoice(Switch->getCondition(), Left))
      continue;
    BasicBlock *First =
        BasicBlock::Create(F.getContext(), "choose", &F, Block.getNextNode());
    branchBy(Switch->getCondition(), *Switch, First);
    for (BasicBlock *To : successors(&Block))
      To->removePredecessor(&Block, /*KeepOneInputPHIs=*/true);
    Switch->eraseFromParent();
    BranchInst::Create(First, &Block);
  }
}

void kdiff::joinSweeps(Function &F, FunctionAnalysisManager &FAM) {
  JumpThreadingPass().runImpl(
      F, &FAM, &FAM.getResult<TargetLibraryAnalysis>(F),
      &FAM.getResult<TargetIRAnalysis>(F), &FAM.getResult<LazyValueAnalysis>(F),
      &FAM.getResult<AAManager>(F),
      std::make_unique<DomTreeUpdater>(&FAM.getResult<DominatorTreeAnalysis>(F),
                                       nullptr,
                                       DomTreeUpdater::UpdateStrategy::Lazy),
      /*BFI=*/nullptr, /*BPI=*/nullptr);
  FAM.invalidate(F, PreservedAnalyses::none());
}
