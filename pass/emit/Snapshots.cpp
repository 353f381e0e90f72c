//===- Snapshots.cpp - Few snapshots of a long loop -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Snapshots.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Snapshots.h"
#include "lower/Abstract.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace kdiff {

Snapshots::Snapshots(Subject &S, const Plan &P) : S(S), P(P) {
  IRBuilder<> B(&S.P.F->getEntryBlock(), S.P.F->getEntryBlock().begin());
  for (auto &[Header, L] : P.Loops) {
    if (!L.Replayed.Snapshots)
      continue;
    Type *Count = S.P.Loops.find(Header)->second.Counter->getType();
    Stack &St = Stacks[Header];
    St.Of = B.CreateAlloca(ArrayType::get(Count, L.Replayed.Snapshots), nullptr,
                           "snapshot.of");
    St.Used = B.CreateAlloca(B.getInt32Ty(), nullptr, "snapshots");
    St.Due = B.CreateAlloca(Count, nullptr, "snapshot.due");
    if (!L.Replayed.Last)
      continue;
    St.Segments = B.CreateAlloca(B.getInt32Ty(), nullptr, "segments");
    St.HasAll = B.CreateAlloca(B.getInt1Ty(), nullptr, "snapshots.all");
  }
}

const Segment &Snapshots::segment(const LoopShape &Shape) const {
  return P.Loops.find(Shape.Header)->second.Replayed;
}

static Value *load(IRBuilderBase &B, AllocaInst *Slot) {
  return B.CreateLoad(Slot->getAllocatedType(), Slot);
}

Value *Snapshots::placeOf(IRBuilderBase &B, const Stack &St, Value *At) {
  return B.CreateInBoundsGEP(St.Of->getAllocatedType(), St.Of,
                             {B.getInt32(0), At});
}

/// How many snapshots there is room for.
Value *Snapshots::left(IRBuilderBase &B, const LoopShape &Shape) {
  return B.CreateSub(B.getInt32(segment(Shape).Snapshots),
                     load(B, Stacks.find(Shape.Header)->second.Used));
}

/// On top of the stack.
void Snapshots::take(IRBuilderBase &B, const LoopShape &Shape, Value *Iteration,
                     bool IsForward, PrimalValues &Values) {
  const Stack &St = Stacks.find(Shape.Header)->second;
  Value *At = load(B, St.Used);
  B.CreateStore(Iteration, placeOf(B, St, At));
  Values.keepState(B, Shape.Header, At, IsForward);
  B.CreateStore(B.CreateAdd(At, B.getInt32(1)), St.Used);
}

//===--- The forward sweep ------------------------------------------------===//

/// Before the loop.
void Snapshots::start(const LoopShape &Shape) {
  const Stack &St = Stacks.find(Shape.Header)->second;
  const Segment &Seg = segment(Shape);
  IRBuilder<> B(Shape.Preheader->getTerminator());
  Type *Count = Shape.Counter->getType();
  B.CreateStore(B.getInt32(0), St.Used);
  B.CreateStore(ConstantInt::get(Count, 0), St.Due);
  if (!St.Segments)
    return;
  Value *Last = B.CreateZExtOrTrunc(Seg.Last, Count);
  Value *Segments =
      B.CreateAdd(B.CreateUDiv(Last, ConstantInt::get(Count, Seg.Length)),
                  ConstantInt::get(Count, 1));
  Value *Most = ConstantInt::get(Count, INT32_MAX);
  Segments = B.CreateBinaryIntrinsic(Intrinsic::umin, Segments, Most);
  Value *Longest =
      createWarpMax(B, B.CreateZExtOrTrunc(Segments, B.getInt32Ty()));
  B.CreateStore(Longest, St.Segments);
  B.CreateStore(B.CreateICmpULE(Longest, B.getInt32(Seg.Snapshots)), St.HasAll);
}

void Snapshots::leave(const LoopShape &Shape, PrimalValues &Values) {
  start(Shape);
  const Stack &St = Stacks.find(Shape.Header)->second;
  const Segment &Seg = segment(Shape);
  Value *Now = Shape.Counter;
  auto *Length = ConstantInt::get(Now->getType(), Seg.Length);
  Instruction *First = &*Shape.Header->getFirstInsertionPt();
  IRBuilder<> Check(First);
  // None is due within a segment, which is known of most iterations where
  // several of them are unrolled.
  Value *InSegment =
      Check.CreateAnd(Now, ConstantInt::get(Now->getType(), Seg.Length - 1));
  Instruction *Start =
      SplitBlockAndInsertIfThen(Check.CreateIsNull(InSegment),
                                First->getIterator(), /*Unreachable=*/false);
  Check.SetInsertPoint(Start);
  Value *IsDue = Check.CreateICmpEQ(Now, load(Check, St.Due));
  IRBuilder<> B(SplitBlockAndInsertIfThen(IsDue, Start->getIterator(),
                                          /*Unreachable=*/false));
  take(B, Shape, Now, /*IsForward=*/true, Values);
  Value *Next = nullptr;
  if (St.Segments) {
    Value *Done = B.CreateTrunc(B.CreateUDiv(Now, Length), B.getInt32Ty());
    Value *Steps = B.CreateSub(load(B, St.Segments), Done);
    Value *Distance = createCheckpointDistance(B, Steps, left(B, Shape));
    Next = B.CreateAdd(
        Now, B.CreateMul(B.CreateZExt(Distance, Now->getType()), Length));
  } else {
    Next =
        B.CreateBinaryIntrinsic(Intrinsic::umax, Length, B.CreateAdd(Now, Now));
  }
  if (Seg.UnrolledForth)
    markLoop(*Shape.Latch->getTerminator(), UnrollAttribute, Seg.Length);
  Value *IsFull = B.CreateIsNull(left(B, Shape));
  Value *Never = ConstantInt::getAllOnesValue(Now->getType());
  B.CreateStore(B.CreateSelect(IsFull, Never, Next), St.Due);
}

//===--- The reverse sweep ------------------------------------------------===//

/// Runs the loop from the state of iteration \p From to that of \p To; no
/// further than this lane's last one.
void Snapshots::run(IRBuilderBase &B, const LoopShape &Shape, Value *From,
                    Value *To, Value *Last, PrimalValues &Values) {
  auto Block = [&](const Twine &Name) {
    return BasicBlock::Create(B.getContext(), Name + Shape.Header->getName(),
                              S.P.F);
  };
  BasicBlock *Before = B.GetInsertBlock();
  BasicBlock *Test = Block("rev.on."), *Body = Block("rev.on.step.");
  BasicBlock *After = Block("rev.there.");
  B.CreateBr(Test);
  B.SetInsertPoint(Test);
  PHINode *At = B.CreatePHI(From->getType(), 2, "at");
  At->addIncoming(From, Before);
  B.CreateStore(At, Values.counter(Shape.Header));
  Value *IsThere = B.CreateICmpUGE(At, To);
  B.CreateCondBr(B.CreateOr(IsThere, B.CreateICmpUGE(At, Last)), After, Body);
  B.SetInsertPoint(Body);
  Values.enterBlock(Shape.Header);
  Values.repeatKept(B, Shape.Header);
  Values.advance(B, Shape.Header, Shape.Latch);
  At->addIncoming(B.CreateNUWAdd(At, ConstantInt::get(At->getType(), 1)),
                  B.GetInsertBlock());
  B.CreateBr(Test);
  B.SetInsertPoint(After);
  Values.enterBlock(Shape.Header);
}

/// Fetches the state of the segment, or, for a lane that waits for it, of the
/// lane's last one.
void Snapshots::fetch(IRBuilderBase &B, const LoopShape &Shape, Value *Segment,
                      PrimalValues &Values) {
  const Stack &St = Stacks.find(Shape.Header)->second;
  Value *Top = B.CreateSub(load(B, St.Used), B.getInt32(1));
  Value *At = B.CreateBinaryIntrinsic(
      Intrinsic::umin, Segment, B.CreateZExtOrTrunc(Top, Segment->getType()));
  Values.fetchState(B, Shape.Header, At);
}

void Snapshots::enter(IRBuilderBase &B, const LoopShape &Shape, Value *First,
                      PrimalValues &Values) {
  auto *Length = ConstantInt::get(First->getType(), segment(Shape).Length);
  if (Stacks.find(Shape.Header)->second.HasAll)
    fetch(B, Shape, B.CreateUDiv(First, Length), Values);
}

void Snapshots::seek(IRBuilderBase &B, const LoopShape &Shape, Value *First,
                     Value *Last, PrimalValues &Values) {
  const Stack &St = Stacks.find(Shape.Header)->second;
  if (!St.HasAll)
    return search(B, Shape, First, Last, Values);
  auto Block = [&](const Twine &Name) {
    return BasicBlock::Create(B.getContext(), Name + Shape.Header->getName(),
                              S.P.F);
  };
  BasicBlock *Take = Block("rev.fetched."), *Search = Block("rev.search.");
  BasicBlock *There = Block("rev.state.");
  B.CreateCondBr(load(B, St.HasAll), Take, Search);
  B.SetInsertPoint(Take);
  Values.takeFetched(B, Shape.Header);
  Type *Count = First->getType();
  Value *Segment =
      B.CreateUDiv(First, ConstantInt::get(Count, segment(Shape).Length));
  // Behind segment 0, any.
  fetch(B, Shape, B.CreateSub(Segment, ConstantInt::get(Count, 1)), Values);
  B.CreateBr(There);
  B.SetInsertPoint(Search);
  search(B, Shape, First, Last, Values);
  B.CreateBr(There);
  B.SetInsertPoint(There);
  Values.enterBlock(Shape.Header);
}

/// Runs the loop from the snapshots at hand.
void Snapshots::search(IRBuilderBase &B, const LoopShape &Shape, Value *First,
                       Value *Last, PrimalValues &Values) {
  const Stack &St = Stacks.find(Shape.Header)->second;
  Type *Count = First->getType();
  auto *Length = ConstantInt::get(Count, segment(Shape).Length);
  auto Block = [&](const Twine &Name) {
    return BasicBlock::Create(B.getContext(), Name + Shape.Header->getName(),
                              S.P.F);
  };
  BasicBlock *Drop = Block("rev.drop."), *Found = Block("rev.found.");
  BasicBlock *Go = Block("rev.go."), *On = Block("rev.forth.");
  BasicBlock *Keep = Block("rev.keep."), *There = Block("rev.here.");
  // The last snapshot that is not behind First; the one of iteration 0 is not.
  Value *All = load(B, St.Used);
  BasicBlock *Before = B.GetInsertBlock();
  B.CreateBr(Drop);
  B.SetInsertPoint(Drop);
  PHINode *Used = B.CreatePHI(B.getInt32Ty(), 2, "used");
  Used->addIncoming(All, Before);
  Value *Top = B.CreateSub(Used, B.getInt32(1));
  Used->addIncoming(Top, Drop);
  Value *Of = B.CreateLoad(Count, placeOf(B, St, Top));
  B.CreateCondBr(B.CreateICmpUGT(Of, First), Drop, Found);

  B.SetInsertPoint(Found);
  B.CreateStore(Used, St.Used);
  Values.restoreState(B, Shape.Header, Top);
  B.CreateBr(Go);

  B.SetInsertPoint(Go);
  PHINode *At = B.CreatePHI(Count, 2, "snapshot");
  At->addIncoming(Of, Found);
  B.CreateCondBr(B.CreateICmpUGE(At, First), There, On);

  B.SetInsertPoint(On);
  Value *Gap = B.CreateUDiv(B.CreateSub(First, At), Length);
  Value *Steps =
      B.CreateAdd(B.CreateTrunc(B.CreateBinaryIntrinsic(
                                    Intrinsic::umin, Gap,
                                    ConstantInt::get(Count, INT32_MAX - 1)),
                                B.getInt32Ty()),
                  B.getInt32(1));
  Value *Distance = createCheckpointDistance(B, Steps, left(B, Shape));
  Value *To =
      B.CreateAdd(At, B.CreateMul(B.CreateZExt(Distance, Count), Length));
  run(B, Shape, At, To, Last, Values);
  At->addIncoming(To, Keep);
  At->addIncoming(To, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpULT(To, First), Keep, Go);
  B.SetInsertPoint(Keep);
  take(B, Shape, To, /*IsForward=*/false, Values);
  B.CreateBr(Go);
  B.SetInsertPoint(There);
  Values.enterBlock(Shape.Header);
}

} // namespace kdiff
