//===- Barriers.cpp - Who passes the barriers of a block ------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Barriers.h.
//
//===----------------------------------------------------------------------===//

#include "analysis/Barriers.h"
#include "analysis/Uniformity.h"
#include "target/Sync.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

static bool isDivergent(const Instruction &Terminator, const Uniformity &U) {
  if (Terminator.getNumSuccessors() < 2)
    return false;
  if (auto *Branch = dyn_cast<BranchInst>(&Terminator))
    return !U.isLikelyUniform(Branch->getCondition());
  if (auto *Switch = dyn_cast<SwitchInst>(&Terminator))
    return !U.isLikelyUniform(Switch->getCondition());
  return true;
}

/// Where threads may be that \p Branch has parted, before they meet. Adds the
/// block where they meet to \p Meetings.
static SmallPtrSet<BasicBlock *, 16>
blocksApart(BasicBlock &Branch, const PostDominatorTree &PDT,
            SmallPtrSetImpl<BasicBlock *> &Meetings) {
  auto *Next = PDT.getNode(&Branch)->getIDom();
  BasicBlock *Meeting = Next ? Next->getBlock() : nullptr;
  if (Meeting)
    Meetings.insert(Meeting);
  SmallPtrSet<BasicBlock *, 16> Apart;
  SmallVector<BasicBlock *, 16> Work(successors(&Branch));
  while (!Work.empty()) {
    BasicBlock *B = Work.pop_back_val();
    if (B != Meeting && Apart.insert(B).second)
      append_range(Work, successors(B));
  }
  return Apart;
}

bool passSameBarriers(Function &F) {
  SmallPtrSet<BasicBlock *, 4> WithBarrier;
  for (Instruction &I : instructions(F))
    if (auto *CB = dyn_cast<CallBase>(&I); CB && nvptx::isBarrierOfAll(*CB))
      WithBarrier.insert(CB->getParent());
  if (WithBarrier.empty())
    return true;
  PostDominatorTree PDT(F);
  SmallSetVector<const Value *, 16> Varying;
  for (bool Changed = true; Changed;) {
    Changed = false;
    Uniformity U(F, Among::Warp, Varying.getArrayRef());
    for (BasicBlock &B : F) {
      if (!isDivergent(*B.getTerminator(), U))
        continue;
      SmallPtrSet<BasicBlock *, 2> Meetings;
      SmallPtrSet<BasicBlock *, 16> Apart = blocksApart(B, PDT, Meetings);
      if (any_of(WithBarrier,
                 [&](BasicBlock *BB) { return Apart.contains(BB); }))
        return false;
      // Which way a thread came tells it from the others.
      Meetings.insert(Apart.begin(), Apart.end());
      for (BasicBlock *BB : Meetings)
        for (PHINode &Phi : BB->phis())
          Changed |= Varying.insert(&Phi);
    }
  }
  return true;
}

} // namespace kdiff
