//===- Invariants.cpp - What a reversed loop computes once ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Invariants.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Invariants.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

namespace {

class Walker {
public:
  Walker(Plan &P, const Flow &Fl, const LoopInfo &LI) : P(P), Fl(Fl), LI(LI) {}
  /// \p V is needed in the reverse of \p Where (null: in no loop).
  void need(Value *V, const Loop *Where);

private:
  bool isAgain(Value *V) const;
  bool isDear(Value *V);

  Plan &P;
  const Flow &Fl;
  const LoopInfo &LI;
  DenseSet<std::pair<Value *, const Loop *>> Seen;
  DenseMap<Value *, bool> Dear;
};

} // namespace

bool Walker::isAgain(Value *V) const {
  Source From = P.sourceOf(V);
  return From == Source::Recompute || From == Source::Reload;
}

/// True if to have \p V again takes what LLVM does not move out of a loop.
bool Walker::isDear(Value *V) {
  if (!isAgain(V))
    return false;
  auto [It, New] = Dear.try_emplace(V, false);
  if (!New)
    return It->second;
  auto *I = cast<Instruction>(V);
  bool Answer = isa<LoadInst, PHINode>(I) ||
                any_of(I->operands(), [&](Value *Op) { return isDear(Op); });
  return Dear[V] = Answer;
}

void Walker::need(Value *V, const Loop *Where) {
  if (!isAgain(V) || !Seen.insert({V, Where}).second)
    return;
  auto *I = cast<Instruction>(V);
  const Loop *Defined = LI.getLoopFor(I->getParent());
  if (Where && Where != Defined && (!Defined || Defined->contains(Where))) {
    const Loop *Within = Where;
    while (Within->getParentLoop() != Defined)
      Within = Within->getParentLoop();
    auto L = P.Loops.find(Within->getHeader());
    if (isDear(V) && L != P.Loops.end() && Fl.isReversed(Within->getHeader()))
      L->second.Invariants.insert(V);
    Where = Defined;
  }
  for (Value *Operand : I->operands())
    need(Operand, Where);
}

void keepInvariants(Plan &P, ArrayRef<Need> Needs, const Subject &S,
                    const Flow &Fl, const LoopInfo &LI) {
  for (BasicBlock &B : *S.P.F)
    if (const Loop *L = LI.getLoopFor(&B))
      P.Nest[&B] = L->getHeader();
  Walker W(P, Fl, LI);
  for (const Need &N : Needs)
    if (N.NeededBy)
      W.need(N.V, LI.getLoopFor(N.NeededBy->getParent()));
  for (auto &[Header, L] : P.Loops) {
    const LoopShape &Shape = S.P.Loops.find(Header)->second;
    if (L.Replayed.Length)
      for (PHINode &Phi : Header->phis())
        W.need(Phi.getIncomingValueForBlock(Shape.Latch),
               LI.getLoopFor(Header));
    for (Instruction *Kept : L.Replayed.Kept)
      for (Value *Operand : Kept->operands())
        W.need(Operand, LI.getLoopFor(Header));
  }
}

} // namespace kdiff
