//===- ReverseLoops.cpp - How a reversed loop runs ------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see ReverseLoops.h.
//
//===----------------------------------------------------------------------===//

#include "emit/ReverseLoops.h"
#include "emit/Records.h"
#include "lower/Abstract.h"
#include "support/Finite.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

void ReverseLoops::create() {
  Function &F = *C.S.P.F;
  IRBuilder<> Top(&F.getEntryBlock(), F.getEntryBlock().begin());
  for (auto &[Header, Shape] : C.S.P.Loops) {
    LoopPlan Plan = C.P.loop(Header);
    if (Plan.Together)
      markLoop(*Shape.Latch->getTerminator(), TogetherAttribute, Plan.Together);
    if (!C.Fl.isReversed(Header))
      continue;
    Blocks &L = Loops[Header];
    Type *Count = Shape.Counter->getType();
    L.Start = block("rev.loop." + Header->getName());
    L.Target = Top.CreateAlloca(Top.getInt32Ty(), nullptr, "from");
    if (!Plan.Ends.empty())
      keepEnds(Header);
    if (!Plan.JoinsLate && !Plan.Replayed.Length)
      continue;
    L.Next = block("rev.next." + Header->getName());
    L.Last = Top.CreateAlloca(Count, nullptr, "last");
    for (PHINode &Phi : Header->phis())
      if (C.A.isActive(&Phi)) {
        L.Passed.emplace_back();
        if (ownNext(Phi))
          continue;
        C.Adj.forEachLane([&] {
          L.Passed.back().push_back(Top.CreateAlloca(
              C.A.adjointType(&Phi), nullptr, "passed." + Phi.getName()));
        });
      }
    if (!Plan.Replayed.Length)
      continue;
    L.Segment = block("rev.segment." + Header->getName());
    L.First = Top.CreateAlloca(Count, nullptr, "first");
    L.InSegment = Top.CreateAlloca(Count, nullptr, "in.segment");
  }
}

/// The forward sweep's copies of what the loop ends with.
void ReverseLoops::keepEnds(BasicBlock *Header) {
  Function &F = *C.S.P.F;
  IRBuilder<> Top(&F.getEntryBlock(), F.getEntryBlock().begin());
  Blocks &L = Loops[Header];
  LoopPlan Plan = C.P.loop(Header);
  L.Doubt = Top.CreateAlloca(Top.getInt1Ty(), nullptr, "doubt");
  for (const Instruction *I : Plan.Products)
    C.Doubts[I] = L.Doubt;
  for (Value *End : Plan.Ends) {
    auto &Def = *cast<Instruction>(End);
    L.Ends.push_back(
        Top.CreateAlloca(Def.getType(), nullptr, "end." + Def.getName()));
    IRBuilder<>(Def.getParent(), *Def.getInsertionPointAfterDef())
        .CreateStore(&Def, L.Ends.back());
  }
}

/// The lanes at hand choose a version of the reversed loop together.
void ReverseLoops::askEnds(BasicBlock *Header) {
  const Blocks &L = Loops.find(Header)->second;
  if (!L.Doubt)
    return;
  Value *Doubt = B.getFalse();
  for (AllocaInst *Slot : L.Ends) {
    Doubt = B.CreateOr(Doubt, createIsNotFinite(B, load(Slot)));
  }
  Value *Any = createWarpMax(B, B.CreateZExt(Doubt, B.getInt32Ty()));
  B.CreateStore(createDoubt(B, B.CreateIsNotNull(Any)), L.Doubt);
}

BasicBlock *ReverseLoops::block(const Twine &Name) {
  return BasicBlock::Create(C.S.P.F->getContext(), Name, C.S.P.F);
}

const LoopShape &ReverseLoops::shape(BasicBlock *Header) const {
  return C.S.P.Loops.find(Header)->second;
}

Value *ReverseLoops::load(AllocaInst *Slot) {
  return B.CreateLoad(Slot->getAllocatedType(), Slot);
}

/// The largest \p Last of the lanes at hand. For speed alone: it is never less
/// than the lane's own, even if the others' do not fit into 32 bits.
static Value *latestOf(IRBuilderBase &B, Value *Last) {
  Value *Most = createWarpMax(B, B.CreateZExtOrTrunc(Last, B.getInt32Ty()));
  if (Last->getType() == Most->getType())
    return Most;
  return B.CreateBinaryIntrinsic(Intrinsic::umax, Last,
                                 B.CreateZExt(Most, Last->getType()));
}

/// The reversed loop starts at iteration \p Last of this lane, or where it is
/// to wait for others, at the last of them.
void ReverseLoops::startAt(BasicBlock *Header, Value *Last, bool MayJoinLate) {
  const Blocks &L = Loops.find(Header)->second;
  LoopPlan Plan = C.P.loop(Header);
  if (L.Last)
    B.CreateStore(Last, L.Last);
  for (auto &Slots : L.Passed)
    for (AllocaInst *Slot : Slots)
      B.CreateStore(neutralAdjoint(Slot->getAllocatedType()), Slot);
  Value *Start = MayJoinLate && Plan.JoinsLate ? latestOf(B, Last) : Last;
  if (!L.Segment) {
    B.CreateStore(Start, C.Values.counter(Header));
    return;
  }
  uint64_t InSegment = Plan.Replayed.Length - 1;
  Value *First =
      B.CreateAnd(Start, ConstantInt::get(Last->getType(), ~InSegment));
  B.CreateStore(First, L.First);
  if (Plan.Replayed.Snapshots)
    C.Few.enter(B, shape(Header), First, C.Values);
}

void ReverseLoops::enter(BasicBlock *Exit, const Step &Next) {
  SmallVector<Value *, 2> Last;
  for (BasicBlock *Header : Next.Loops) {
    const LoopShape &Shape = shape(Header);
    Last.push_back(
        B.CreateZExtOrTrunc(C.primal(Shape.BackedgesAtExit.lookup(Exit)),
                            Shape.Counter->getType()));
    B.CreateStore(Last.back(), C.Values.counter(Header));
  }
  takeAtExit(Next, C);
  for (BasicBlock *Header : Next.Loops) {
    C.Values.enterLoop(B, Header);
    askEnds(Header);
  }
  for (auto [Header, Count] : zip(Next.Loops, Last)) {
    // Inner loops that are left with an outer one start when the lane joins
    // that one.
    startAt(Header, Count, Header == Next.Loops.front());
    auto Exits = C.Fl.exitsOf(Header);
    unsigned K =
        find_if(Exits, [&](auto &E) { return E.Exit == Exit; }) - Exits.begin();
    B.CreateStore(B.getInt32(K + 1), Loops.find(Header)->second.Target);
  }
  const Blocks &Outer = Loops.find(Next.Loops.front())->second;
  B.CreateBr(Outer.Segment ? Outer.Segment : Outer.Start);
}

/// What \p Phi, of a header, is in the next iteration, if the loop computes it
/// for that phi alone, each time: its adjoint has room for the phi's, which a
/// thread that waits has no part in. Else null.
Value *ReverseLoops::ownNext(PHINode &Phi) const {
  BasicBlock *Header = Phi.getParent(), *Latch = shape(Header).Latch;
  auto *Next = dyn_cast<Instruction>(Phi.getIncomingValueForBlock(Latch));
  if (!Next || !C.A.isActive(Next) ||
      C.P.Nest.lookup(Next->getParent()) != Header ||
      (isa<PHINode>(Next) && Next->getParent() == Header))
    return nullptr;
  bool IsShared = any_of(Header->phis(), [&](PHINode &Other) {
    return &Other != &Phi && Other.getIncomingValueForBlock(Latch) == Next;
  });
  return IsShared ? nullptr : Next;
}

ReverseLoops::Ways ReverseLoops::leaveHeader(BasicBlock *Header,
                                             ArrayRef<PhiAdjoints> Taken) {
  const Blocks &L = Loops.find(Header)->second;
  Ways W;
  W.ToPreheader.append(Taken.begin(), Taken.end());
  if (L.Next) {
    for (auto [Phi, Slots] : zip_equal(Taken, L.Passed)) {
      if (Slots.empty())
        C.Adj.addAll(B, ownNext(*Phi.first), Phi.second);
      for (unsigned K = 0; K != Slots.size(); ++K)
        B.CreateStore(Phi.second[K], Slots[K]);
    }
    B.CreateStore(B.getInt32(0), L.Target);
    B.CreateBr(L.Next);
    B.SetInsertPoint(L.Next);
    C.Values.enterBlock(Header);
  }
  Value *Iteration = load(C.Values.counter(Header));
  Value *IsFirst =
      B.CreateICmpEQ(Iteration, ConstantInt::get(Iteration->getType(), 0));
  // Before the branch, so that LLVM finds the end of the loop in its latch.
  if (!L.Segment)
    B.CreateStore(
        B.CreateSub(Iteration, ConstantInt::get(Iteration->getType(), 1)),
        C.Values.counter(Header));
  if (L.Next)
    for (auto [Phi, Slots] : zip_equal(W.ToPreheader, L.Passed))
      for (unsigned K = 0; K != Slots.size(); ++K)
        Phi.second[K] = load(Slots[K]);
  W.Out = block("rev.out." + Header->getName());
  W.Back = block("rev.back." + Header->getName());
  B.CreateCondBr(IsFirst, W.Out, W.Back);
  B.SetInsertPoint(W.Out);
  for (auto [K, Phi] : enumerate(W.ToPreheader))
    if (L.Next && L.Passed[K].empty())
      Phi.second = C.Adj.takeAll(B, ownNext(*Phi.first));
    else
      W.ToLatch.push_back(Phi);
  return W;
}

/// Loops of a segment's length are written as loops: lower unrolls them where
/// that is wanted, and LLVM nowhere else.
static void markSegment(Instruction *Backedge, bool Unrolled) {
  markLoop(*Backedge, Unrolled ? UnrollAttribute : "llvm.loop.unroll.disable");
}

void ReverseLoops::next(BasicBlock *Header) {
  const Blocks &L = Loops.find(Header)->second;
  if (L.Segment)
    return nextInSegment(Header);
  if (!L.Next)
    B.CreateStore(B.getInt32(0), L.Target);
  Instruction *Backedge = B.CreateBr(L.Start);
  LoopPlan Plan = C.P.loop(Header);
  if (Plan.SharedOut)
    markLoop(*Backedge, ShareAttribute);
  if (Plan.Chunk)
    markLoop(*Backedge, ChunkAttribute, Plan.Chunk);
  if (Plan.Together)
    markLoop(*Backedge, TogetherAttribute, Plan.Together);
}

/// From the start of an iteration to the block where its reverse begins.
void ReverseLoops::dispatch(BasicBlock *Header,
                            function_ref<BasicBlock *(BasicBlock *)> Reverse) {
  const Blocks &L = Loops.find(Header)->second;
  BasicBlock *Latch = shape(Header).Latch;
  auto Exits = C.Fl.exitsOf(Header);
  auto StartOf = [&](const Flow::LoopExit &Exit) {
    if (!Exit.Inner)
      return Reverse(Exit.Exiting);
    const Blocks &Inner = Loops.find(Exit.Inner)->second;
    return Inner.Segment ? Inner.Segment : Inner.Start;
  };
  if (all_of(Exits, [&](auto &X) { return StartOf(X) == Reverse(Latch); })) {
    B.CreateBr(Reverse(Latch));
    return;
  }
  SwitchInst *Switch = B.CreateSwitch(load(L.Target), Reverse(Latch));
  for (unsigned K = 0; K != Exits.size(); ++K)
    Switch->addCase(B.getInt32(K + 1), StartOf(Exits[K]));
}

/// A lane whose last iteration is still to come goes on to the next one.
void ReverseLoops::passLanesThatWait(BasicBlock *Header) {
  const Blocks &L = Loops.find(Header)->second;
  if (L.Segment)
    B.CreateStore(B.CreateNUWAdd(load(L.First), load(L.InSegment)),
                  C.Values.counter(Header));
  BasicBlock *Join = block("rev.join." + Header->getName());
  B.CreateCondBr(B.CreateICmpUGT(load(C.Values.counter(Header)), load(L.Last)),
                 L.Next, Join);
  B.SetInsertPoint(Join);
  if (L.Segment)
    C.Values.readSegment(B, Header, load(L.InSegment));
}

/// To the iteration before, or to the segment before.
void ReverseLoops::nextInSegment(BasicBlock *Header) {
  const Blocks &L = Loops.find(Header)->second;
  Type *Count = L.First->getAllocatedType();
  Segment Replayed = C.P.loop(Header).Replayed;
  auto *Length = ConstantInt::get(Count, Replayed.Length);
  Value *Iteration = load(L.InSegment);
  B.CreateStore(B.CreateSub(Iteration, ConstantInt::get(Count, 1)),
                L.InSegment);
  BasicBlock *Before = block("rev.before." + Header->getName());
  markSegment(
      B.CreateCondBr(B.CreateICmpEQ(Iteration, ConstantInt::get(Count, 0)),
                     Before, L.Start),
      Replayed.Unrolled);
  B.SetInsertPoint(Before);
  B.CreateStore(B.CreateSub(load(L.First), Length), L.First);
  B.CreateBr(L.Segment);
}

/// Takes the segment's checkpoint and runs the loop from there, to have what
/// each iteration starts from.
void ReverseLoops::buildSegment(BasicBlock *Header) {
  const Blocks &L = Loops.find(Header)->second;
  const LoopShape &Shape = shape(Header);
  Segment Replayed = C.P.loop(Header).Replayed;
  Type *Count = L.First->getAllocatedType();
  auto Number = [&](uint64_t N) { return ConstantInt::get(Count, N); };
  BasicBlock *Take = Replayed.Snapshots
                         ? nullptr
                         : block("rev.checkpoint." + Header->getName());
  BasicBlock *Replay = block("rev.replay." + Header->getName());
  BasicBlock *Again = block("rev.again." + Header->getName());

  B.SetInsertPoint(L.Segment);
  B.CreateStore(Number(Replayed.Length - 1), L.InSegment);
  if (Replayed.Snapshots) {
    // Lanes that wait take the same snapshots.
    C.Few.seek(B, Shape, load(L.First), load(L.Last), C.Values);
  } else {
    B.CreateCondBr(B.CreateICmpUGT(load(L.First), load(L.Last)), L.Start, Take);
    B.SetInsertPoint(Take);
    C.Values.pop(B, Header);
  }
  BasicBlock *Before = B.GetInsertBlock();
  B.CreateBr(Replay);

  B.SetInsertPoint(Replay);
  PHINode *At = B.CreatePHI(Count, 2, "at");
  At->addIncoming(Number(0), Before);
  Value *Iteration = B.CreateNUWAdd(load(L.First), At);
  B.CreateStore(Iteration, C.Values.counter(Header));
  C.Values.enterBlock(Header);
  C.Values.repeatKept(B, Header);
  C.Values.writeSegment(B, Header, At);
  Value *IsDone = B.CreateICmpEQ(At, Number(Replayed.Length - 1));
  if (Replayed.Guarded)
    IsDone = B.CreateOr(IsDone, B.CreateICmpUGE(Iteration, load(L.Last)));
  B.CreateCondBr(IsDone, L.Start, Again);

  B.SetInsertPoint(Again);
  C.Values.enterBlock(Header);
  C.Values.advance(B, Header, Shape.Latch);
  At->addIncoming(B.CreateNUWAdd(At, Number(1)), B.GetInsertBlock());
  markSegment(B.CreateBr(Replay), Replayed.Unrolled);
}

void ReverseLoops::build(BasicBlock *Header,
                         function_ref<BasicBlock *(BasicBlock *)> Reverse) {
  const Blocks &L = Loops.find(Header)->second;
  B.SetCurrentDebugLocation(
      shape(Header).Latch->getTerminator()->getDebugLoc());
  if (L.Segment)
    buildSegment(Header);
  B.SetInsertPoint(L.Start);
  if (L.Next)
    passLanesThatWait(Header);
  dispatch(Header, Reverse);
}

} // namespace kdiff
