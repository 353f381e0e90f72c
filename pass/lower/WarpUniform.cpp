//===- WarpUniform.cpp - What all lanes of a warp know --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see WarpUniform.h.
//
//===----------------------------------------------------------------------===//

#include "lower/WarpUniform.h"
#include "analysis/Uniformity.h"
#include "rules/Rules.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;
using namespace kdiff;

/// True if every iteration of \p L has a sum, in which all lanes take part.
bool WarpUniform::isTogether(const Loop &L) const {
  const BasicBlock *Latch = L.getLoopLatch();
  return Latch && any_of(Sums, [&](const Value *Sum) {
           auto *B = cast<Instruction>(Sum)->getParent();
           return L.contains(B) && DT.dominates(B, Latch);
         });
}

/// True if all lanes leave the loops that \p V, computed in them, leaves by
/// \p Phi after the same number of iterations.
bool WarpUniform::leavesTogether(const Value &V, const PHINode &Phi) const {
  auto *I = dyn_cast<Instruction>(&V);
  const Loop *L = I ? LI.getLoopFor(I->getParent()) : nullptr;
  for (; L && !L->contains(&Phi); L = L->getParentLoop())
    if (!isTogether(*L))
      return false;
  return true;
}

/// True if lanes that are together at the end of \p B go on together.
bool WarpUniform::goesOnTogether(const BasicBlock &B) const {
  const Instruction &End = *B.getTerminator();
  if (End.getNumSuccessors() < 2)
    return true;
  // Who went on alone would miss the others in the next sum.
  const Loop *L = LI.getLoopFor(&B);
  if (L && L->getLoopLatch() == &B && isTogether(*L))
    return true;
  return isa<BranchInst, SwitchInst>(End) &&
         !Varying.contains(End.getOperand(0));
}

/// True if lanes come to \p Join from its immediate dominator by one way.
bool WarpUniform::comesTogether(const BasicBlock &Join) const {
  const BasicBlock *Fork = DT.getNode(&Join)->getIDom()->getBlock();
  SmallPtrSet<const BasicBlock *, 16> Seen;
  SmallVector<const BasicBlock *, 16> Work(predecessors(&Join));
  while (!Work.empty()) {
    const BasicBlock *B = Work.pop_back_val();
    if (!Seen.insert(B).second)
      continue;
    if (!goesOnTogether(*B))
      return false;
    if (B != Fork)
      append_range(Work, predecessors(B));
  }
  return true;
}

bool WarpUniform::variesPhi(const PHINode &Phi) const {
  const BasicBlock &B = *Phi.getParent();
  bool Varies = any_of(Phi.incoming_values(), [&](const Value *V) {
    return Varying.contains(V) || !leavesTogether(*V, Phi);
  });
  return Varies || !(LI.isLoopHeader(&B) || Phi.getNumOperands() == 1 ||
                     comesTogether(B));
}

bool WarpUniform::varies(const Instruction &I) const {
  if (Sums.contains(&I))
    return false;
  if (auto *Phi = dyn_cast<PHINode>(&I))
    return variesPhi(*Phi);
  auto *CB = dyn_cast<CallBase>(&I);
  if (CB && isBlockRegister(*CB))
    return false;
  if (any_of(I.operands(), [&](const Use &U) { return Varying.contains(U); }))
    return true;
  if (CB)
    return !findRule(I) &&
           (classify(*CB) != CallClass::Pure || CB->arg_empty());
  return isa<AllocaInst>(I) || I.mayReadOrWriteMemory() || I.isTerminator();
}

WarpUniform::WarpUniform(const Function &F, const LoopInfo &LI,
                         const DominatorTree &DT,
                         const DenseSet<const Value *> &Arguments,
                         const DenseSet<const Value *> &Sums)
    : LI(LI), DT(DT), Sums(Sums) {
  for (const Argument &Arg : F.args())
    if (!Arguments.contains(&Arg))
      Varying.insert(&Arg);
  bool Changed = true;
  while (Changed) {
    Changed = false;
    for (const Instruction &I : instructions(F))
      if (!Varying.contains(&I) && varies(I))
        Changed |= Varying.insert(&I).second;
  }
}
