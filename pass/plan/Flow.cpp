//===- Flow.cpp - Which blocks are reversed, and how ----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Flow.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Flow.h"
#include "rules/Rules.h"
#include "target/Sync.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

static bool callHasWork(const CallBase &CB, const Activity &A) {
  switch (classify(CB)) {
  case CallClass::Rule:
  case CallClass::Warp:
    return A.isActive(&CB);
  case CallClass::Barrier:
    return A.isMirrored(CB);
  case CallClass::Claim:
    return A.isActivePointer(nvptx::claimOf(CB)->Word);
  case CallClass::Memory:
    return A.isActivePointer(CB.getArgOperand(0));
  case CallClass::OutPointer:
  case CallClass::Defined:
    return any_of(CB.args(), [&](const Use &Arg) {
      return A.isActive(Arg) ||
             (Arg->getType()->isPointerTy() && A.isActivePointer(Arg));
    });
  default:
    return false;
  }
}

bool Flow::hasWork(const Instruction &I, const Activity &A) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return A.isActiveStore(Store->getValueOperand(),
                           Store->getPointerOperand());
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
    return A.isActivePointer(RMW->getPointerOperand()) && A.canBeVaried(RMW) &&
           !nvptx::isClaimed(*RMW);
  if (auto *CB = dyn_cast<CallBase>(&I))
    return callHasWork(*CB, A);
  return A.isActive(&I);
}

Flow::Flow(const Subject &S, const Activity &A, const DominatorTree &DT,
           const LoopInfo &LI)
    : S(S), DT(DT), LI(LI) {
  for (const BasicBlock &B : *S.P.F) {
    if (any_of(B, [&](const Instruction &I) { return hasWork(I, A); }))
      Working.insert(&B);
    if (any_of(B.phis(), [&](const PHINode &Phi) { return A.isActive(&Phi); }))
      Merging.insert(&B);
  }

  SmallVector<BasicBlock *, 16> Work{S.P.ReturnBlock};
  while (!Work.empty()) {
    BasicBlock *B = Work.pop_back_val();
    if (Steps.contains(B))
      continue;
    Step Next = stepOf(B);
    Steps[B] = Next;
    switch (Next.How) {
    case Leave::Entry:
      break;
    case Leave::To:
      Work.push_back(Next.Next);
      break;
    case Leave::Join:
      append_range(Work, S.P.Joins.lookup(B).Preds);
      break;
    case Leave::Exit:
      for (unsigned K = 0, N = Next.Loops.size(); K != N; ++K)
        Exits[Next.Loops[K]].push_back(
            {B, Next.Next, K + 1 == N ? nullptr : Next.Loops[K + 1]});
      Work.push_back(Next.Next);
      break;
    case Leave::Header:
      Work.push_back(S.P.Loops.lookup(B).Preheader);
      Work.push_back(S.P.Loops.lookup(B).Latch);
      break;
    }
  }
}

ArrayRef<Flow::LoopExit> Flow::exitsOf(BasicBlock *Header) const {
  auto It = Exits.find(Header);
  return It == Exits.end() ? ArrayRef<LoopExit>() : It->second;
}

/// The block that dominates \p B, outside every loop that B is not in, if
/// nothing that may run between the two has a derivative; else null.
BasicBlock *Flow::skipTarget(BasicBlock *B) const {
  BasicBlock *Target = DT.getNode(B)->getIDom()->getBlock();
  while (Loop *L = LI.getLoopFor(Target)) {
    if (L->contains(B))
      break;
    Target = L->getLoopPreheader();
  }
  if (Merging.contains(B))
    return nullptr;
  SmallVector<BasicBlock *, 16> Work(predecessors(B));
  SmallPtrSet<BasicBlock *, 16> Seen{Target};
  while (!Work.empty()) {
    BasicBlock *Between = Work.pop_back_val();
    if (!Seen.insert(Between).second)
      continue;
    if (Working.contains(Between))
      return nullptr;
    Work.append(pred_begin(Between), pred_end(Between));
  }
  return Target;
}

Step Flow::stepOf(BasicBlock *B) const {
  if (B == &S.P.F->getEntryBlock())
    return {Leave::Entry, nullptr, {}};
  if (S.P.Loops.contains(B))
    return {Leave::Header, nullptr, {}};
  BasicBlock *Pred = B->getSinglePredecessor();
  Loop *Left = Pred ? LI.getLoopFor(Pred) : nullptr;
  bool IsExit = Left && !Left->contains(B);
  if (Pred && !IsExit)
    return {Leave::To, Pred, {}};
  if (BasicBlock *Target = skipTarget(B))
    return {Leave::To, Target, {}};
  if (!IsExit)
    return {Leave::Join, nullptr, {}};
  Step Exit{Leave::Exit, Pred, {}};
  for (Loop *L = Left; L && !L->contains(B); L = L->getParentLoop())
    Exit.Loops.insert(Exit.Loops.begin(), L->getHeader());
  return Exit;
}

bool leavesOwnRecords(const Subject &S, const Activity &A) {
  return any_of(instructions(*S.P.F), [&](Instruction &I) {
    auto *CB = dyn_cast<CallBase>(&I);
    CallClass Class = CB ? classify(*CB) : CallClass::Ignorable;
    return (Class == CallClass::Defined || Class == CallClass::Claim) &&
           Flow::hasWork(I, A);
  });
}

bool isMadeFromPhi(const Value *V, const BasicBlock &B) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || I->getParent() != &B)
    return false;
  return isa<PHINode>(I) || any_of(I->operands(), [&](const Use &Operand) {
           return isMadeFromPhi(Operand, B);
         });
}

} // namespace kdiff
