//===- Anew.cpp - Branches that the reverse sweep decides anew ------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Anew.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Anew.h"
#include "rules/Rules.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

bool AnewBranch::isDecidedTwice(ArrayRef<Need> Needs) const {
  return any_of(Needs, [&](const Need &N) {
    if (!Dependents.contains(N.V))
      return false;
    const BasicBlock *At = N.NeededBy ? N.NeededBy->getParent() : nullptr;
    return !At || (At != Join && At->getSingleSuccessor() != Join);
  });
}

/// True if \p B lies between a branch and \p Join alone, or is the block with
/// the branch.
static bool isSide(const BasicBlock &B, const BasicBlock &Join,
                   const BasicBlock *Fork) {
  return &B == Fork ||
         (B.getSingleSuccessor() == &Join && B.getSinglePredecessor() == Fork);
}

/// The block that branches to both sides of \p J; null if they are not that
/// simple.
static const BasicBlock *forkOf(const BasicBlock &Join,
                                ArrayRef<BasicBlock *> Preds) {
  for (const BasicBlock *Fork : {Preds[0], Preds[0]->getSinglePredecessor()})
    if (Fork && succ_size(Fork) == 2 &&
        all_of(Preds, [&](BasicBlock *P) { return isSide(*P, Join, Fork); }))
      return Fork;
  return nullptr;
}

/// True if \p I does nothing but compute a value.
static bool isPlain(const Instruction &I) {
  if (auto *CB = dyn_cast<CallBase>(&I)) {
    CallClass Class = classify(*CB);
    return Class == CallClass::Rule || Class == CallClass::Pure;
  }
  return !I.mayReadOrWriteMemory() && !I.isTerminator();
}

/// Adds \p V and what is computed from it to \p Found. False if that has an
/// effect other than on memory whose content is of no use.
static bool follow(const Value *V, const Subject &S,
                   SmallPtrSet<const Value *, 16> &Found) {
  SmallVector<const Value *, 16> Work{V};
  while (!Work.empty()) {
    V = Work.pop_back_val();
    if (!Found.insert(V).second)
      continue;
    for (const Use &U : V->uses()) {
      auto *User = cast<Instruction>(U.getUser());
      if (auto *Store = dyn_cast<StoreInst>(User)) {
        const Formal *To = S.formalOf(Store->getPointerOperand());
        if (U.getOperandNo() != 0 || !Store->isSimple() || !To ||
            To->Activity != ArgActivity::SeedNoNeed)
          return false;
        continue;
      }
      if (!isPlain(*User))
        return false;
      Work.push_back(User);
    }
  }
  return true;
}

SmallVector<AnewBranch, 2> findAnew(const Subject &S, const Flow &Fl) {
  SmallVector<AnewBranch, 2> Found;
  if (S.isCut())
    return Found;
  for (auto &[At, Next] : Fl.steps()) {
    if (Next.How != Leave::Join)
      continue;
    const Join &J = S.P.Joins.find(At)->second;
    if (!isa<FCmpInst>(J.Selector) || isMadeFromPhi(J.Selector, *At))
      continue;
    const BasicBlock *Fork = forkOf(*At, J.Preds);
    if (!Fork)
      continue;
    AnewBranch Branch{At, J.Selector, {}};
    bool IsFree = all_of(At->phis(), [&](const PHINode &Phi) {
      return follow(&Phi, S, Branch.Dependents);
    });
    for (BasicBlock *Side : J.Preds)
      if (Side != Fork)
        IsFree &= all_of(*Side, [&](const Instruction &I) {
          return I.isTerminator() || ((isPlain(I) || isa<LoadInst>(I)) &&
                                      follow(&I, S, Branch.Dependents));
        });
    if (IsFree)
      Found.push_back(std::move(Branch));
  }
  return Found;
}

} // namespace kdiff
