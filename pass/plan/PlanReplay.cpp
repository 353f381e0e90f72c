//===- PlanReplay.cpp - Loops that the reverse sweep runs again -----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which loops does the planner replay by segments
// (Replay.h) rather than keep on the tape what they carry?
//
//===----------------------------------------------------------------------===//

#include "plan/Planner.h"
#include "plan/Records.h"
#include "support/Diagnostics.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace kdiff {

/// What each iteration of \p L itself has on the tape so far, and its bits.
std::pair<SmallVector<Value *, 8>, unsigned> Planner::tapedBy(const Loop *L) {
  SmallVector<Value *, 8> Values;
  SmallVector<Field, 8> Fields;
  for (auto &[V, D] : Result.Values)
    if (auto *I = dyn_cast<Instruction>(V);
        I && D.From == Source::Tape && LI.getLoopFor(I->getParent()) == L) {
      Values.push_back(V);
      appendFields(V, DL, Fields);
    }
  unsigned Bits = 0;
  for (const Field &F : Fields)
    Bits += F.Width;
  return {Values, Bits};
}

/// Where the user asked for snapshots of the loop: tells if there are none,
/// since they would not live long enough, or since the loop cannot be run
/// again.
void Planner::checkSnapshots(const LoopShape &Shape, const Segment &Seg) {
  if (!Shape.Snapshots || Seg.Snapshots)
    return;
  const Instruction &At = *Shape.Latch->getTerminator();
  if (S.isCut()) {
    remark("Checkpoint", At,
           "no snapshots: the reverse sweep is another function's");
    return;
  }
  reportUnsupported(
      At,
      Seg.Length ? "with __kd_checkpoint in a loop within another one"
                 : "with __kd_checkpoint in a loop whose iterations cannot "
                   "be run again from what they carry",
      "take the mark out: what the reverse sweep needs is taped then");
  Result.IsPossible = false;
}

/// Replays \p Shape's loop if that is cheaper than what it has on the tape.
void Planner::replayLoop(const LoopShape &Shape) {
  Loop *L = LI.getLoopFor(Shape.Header);
  auto [Kept, Bits] = tapedBy(L);
  bool IsSmall = !S.isCut() && !stridesOf(L, Bits / 8, SE).empty();
  // A few bits are a word for many iterations.
  if (Kept.empty() || IsSmall || (Bits <= MaxSharedBits && !Shape.Snapshots))
    return;
  Source From;
  std::string Why;
  auto IsGiven = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return isAtHand(V, From) || (I && !L->contains(I) && Taped.contains(V));
  };
  // The loop's own tiles are not there while it is run again.
  auto CanRepeat = [&](Instruction &I) {
    const Tile *Again = tileOf(&I);
    return canRepeat(I, false, Why) && !(Again && Again->L == L);
  };
  auto IsExact = [&](const Value *V) {
    return Result.Values.lookup(const_cast<Value *>(V)).Exact;
  };
  ReplayFacts Facts{IsGiven, CanRepeat, IsExact};
  Replay R(Shape, *L, Facts);
  Segment Seg = R.plan(Kept, alignTo(divideCeil(Bits, 8u), 8),
                       /*HasArray=*/!S.isCut() && !L->getParentLoop());
  checkSnapshots(Shape, Seg);
  if (!Seg.Length)
    return;
  R.keepExchanged(Seg, Needs);
  Result.Loops[Shape.Header].Replayed = Seg;
  commitReplay(Kept, R.state(), Shape);
  for (Instruction *I : Seg.Kept)
    Result.Values[I].From = Source::Kept;
  remark("Replayed", *Shape.Latch->getTerminator(),
         explain(Seg, Shape.Snapshots));
}

/// The tape keeps \p State instead of \p Kept.
void Planner::commitReplay(ArrayRef<Value *> Kept, ArrayRef<PHINode *> State,
                           const LoopShape &Shape) {
  for (Value *V : Kept)
    Taped.erase(V);
  for (PHINode *Phi : State) {
    Taped[Phi] = "the loop is run again from it";
    Replayed.insert(Phi);
    if (auto It = Result.Values.find(Phi); It != Result.Values.end())
      It->second.From = Source::Replay;
  }
  for (Value *V : Kept) {
    if (Replayed.contains(V))
      continue;
    Decision &D = Result.Values.find(V)->second;
    D.From = isa<LoadInst>(V) ? Source::Reload : Source::Recompute;
    commitInputs(*cast<Instruction>(V), D.Exact, D.NeededBy);
  }
  for (PHINode *Phi : State) {
    commit(Phi, false, Phi);
    commit(Phi->getIncomingValueForBlock(Shape.Latch), false, Phi);
  }
}

void Planner::replayLoops() {
  for (auto &[Header, Shape] : S.P.Loops)
    if (Fl.isReversed(Header))
      replayLoop(Shape);
}

} // namespace kdiff
