//===- Joins.cpp - Which predecessor ran ------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a block know, after the fact, which of
// its predecessors ran before it?
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/PassManager.h"

using namespace llvm;
using namespace kdiff;

namespace {

/// The join of the two sides of one branch: the branch's own condition tells.
std::optional<Join> joinOfBranch(BasicBlock &B, ArrayRef<BasicBlock *> Preds,
                                 const DominatorTree &DT, const LoopInfo &LI) {
  BasicBlock *Top = DT.getNode(&B)->getIDom()->getBlock();
  auto *Br = dyn_cast<BranchInst>(Top->getTerminator());
  if (Preds.size() != 2 || !Br || Br->isUnconditional())
    return std::nullopt;
  // A condition made in a loop that this block is not in would break LCSSA.
  if (auto *Cond = dyn_cast<Instruction>(Br->getCondition()))
    if (const Loop *L = LI.getLoopFor(Cond->getParent()); L && !L->contains(&B))
      return std::nullopt;
  // No edge is critical, so a successor stands for the edge that leads to it.
  BasicBlock *True = Br->getSuccessor(0), *False = Br->getSuccessor(1);
  for (unsigned K : {0u, 1u})
    if (DT.dominates(False, Preds[K]) && DT.dominates(True, Preds[1 - K]))
      return Join{Br->getCondition(), {Preds[K], Preds[1 - K]}};
  return std::nullopt;
}

/// The general case: a phi of the predecessors' numbers.
Join joinByPhi(BasicBlock &B, ArrayRef<BasicBlock *> Preds) {
  unsigned Bits = Preds.size() <= 2 ? 1 : Preds.size() <= 256 ? 8 : 32;
  IRBuilder<> Builder(&B, B.begin());
  PHINode *Selector =
      Builder.CreatePHI(Builder.getIntNTy(Bits), Preds.size(), "ran");
  for (auto [K, Pred] : enumerate(Preds))
    Selector->addIncoming(Builder.getIntN(Bits, K), Pred);
  return Join{Selector, SmallVector<BasicBlock *, 2>(Preds)};
}

} // namespace

MapVector<BasicBlock *, Join> kdiff::selectJoins(Function &F,
                                                 FunctionAnalysisManager &FAM) {
  const auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  const auto &LI = FAM.getResult<LoopAnalysis>(F);
  MapVector<BasicBlock *, Join> Joins;
  for (BasicBlock &B : F) {
    SmallVector<BasicBlock *, 4> Preds(predecessors(&B));
    if (Preds.size() < 2 || LI.isLoopHeader(&B))
      continue;
    std::optional<Join> J = joinOfBranch(B, Preds, DT, LI);
    Joins.insert({&B, J ? *J : joinByPhi(B, Preds)});
  }
  return Joins;
}
