//===- Records.cpp - When records are left and taken ----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Records.h.
//
//===----------------------------------------------------------------------===//

#include "emit/Records.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

using namespace llvm;

namespace kdiff {

namespace {

enum class Kind { None, Each, Shared, Checkpoint };

} // namespace

static Kind kindOf(BasicBlock *Header, const ReverseContext &C) {
  auto It = C.P.Records.find(Header);
  if (It == C.P.Records.end() || !C.Fl.isReversed(Header))
    return Kind::None;
  if (C.P.loop(Header).Replayed.Length)
    return Kind::Checkpoint;
  return It->second.Shared ? Kind::Shared : Kind::Each;
}

static BasicBlock *latchOf(BasicBlock *Header, const ReverseContext &C) {
  return C.S.P.Loops.find(Header)->second.Latch;
}

//===--- The forward sweep ------------------------------------------------===//

/// Pushes the loop's word before \p At if \p Condition.
static void pushWordIf(Value *Condition, Instruction *At, BasicBlock *Header,
                       ReverseContext &C) {
  IRBuilder<> B(SplitBlockAndInsertIfThen(Condition, At->getIterator(),
                                          /*Unreachable=*/false));
  C.Values.pushWord(B, Header);
}

static void leaveAtLatch(const LoopShape &Shape, ReverseContext &C) {
  Instruction *End = Shape.Latch->getTerminator();
  IRBuilder<> B(End);
  switch (kindOf(Shape.Header, C)) {
  case Kind::Each:
    return C.Values.push(B, Shape.Header);
  case Kind::Shared:
    C.Values.addToWord(B, Shape.Header, Shape.Counter);
    return pushWordIf(C.Values.fillsWord(B, Shape.Header, Shape.Counter), End,
                      Shape.Header, C);
  default:
    return;
  }
}

/// Behind an exit, innermost loop first.
static void leaveAtExit(BasicBlock *Exit, const Step &Next, ReverseContext &C) {
  Instruction *At = &*Exit->getFirstInsertionPt();
  for (BasicBlock *Header : llvm::reverse(Next.Loops)) {
    Value *Last = C.S.P.Loops.find(Header)->second.BackedgesAtExit.lookup(Exit);
    bool IsLatch = Next.Next == latchOf(Header, C);
    IRBuilder<> B(At);
    switch (kindOf(Header, C)) {
    case Kind::Each:
      if (!IsLatch)
        C.Values.push(B, Header);
      break;
    case Kind::Shared:
      if (IsLatch) {
        pushWordIf(B.CreateNot(C.Values.fillsWord(B, Header, Last)), At, Header,
                   C);
        break;
      }
      C.Values.addToWord(B, Header, Last);
      C.Values.pushWord(B, Header);
      break;
    default:
      break;
    }
  }
}

/// What a segment of a replayed loop starts from.
static void leaveCheckpoint(const LoopShape &Shape, ReverseContext &C) {
  if (C.P.loop(Shape.Header).Replayed.Snapshots)
    return C.Few.leave(Shape, C.Values);
  unsigned Length = C.P.loop(Shape.Header).Replayed.Length;
  Instruction *First = &*Shape.Header->getFirstInsertionPt();
  IRBuilder<> Check(First);
  Value *IsDue =
      Check.CreateICmpEQ(Check.CreateAnd(Shape.Counter, Length - 1),
                         ConstantInt::get(Shape.Counter->getType(), 0));
  IRBuilder<> B(SplitBlockAndInsertIfThen(IsDue, First->getIterator(),
                                          /*Unreachable=*/false));
  C.Values.push(B, Shape.Header);
}

void leaveRecords(ReverseContext &C) {
  for (auto &[Exit, Next] : C.Fl.steps())
    if (Next.How == Leave::Exit)
      leaveAtExit(Exit, Next, C);
  for (auto &[Header, Shape] : C.S.P.Loops)
    if (kindOf(Header, C) == Kind::Checkpoint)
      leaveCheckpoint(Shape, C);
    else
      leaveAtLatch(Shape, C);
}

//===--- The reverse sweep ------------------------------------------------===//

static void popWordIf(Value *Condition, BasicBlock *Header, ReverseContext &C) {
  Function *F = C.S.P.F;
  BasicBlock *Pop = BasicBlock::Create(F->getContext(), "rev.word", F);
  BasicBlock *Then = BasicBlock::Create(F->getContext(), "rev.word.there", F);
  C.B.CreateCondBr(Condition, Pop, Then);
  C.B.SetInsertPoint(Pop);
  C.Values.popWord(C.B, Header);
  C.B.CreateBr(Then);
  C.B.SetInsertPoint(Then);
}

static Value *fillsWord(BasicBlock *Header, ReverseContext &C) {
  AllocaInst *Counter = C.Values.counter(Header);
  return C.Values.fillsWord(
      C.B, Header, C.B.CreateLoad(Counter->getAllocatedType(), Counter));
}

void takeAtLatch(BasicBlock *Header, ReverseContext &C) {
  switch (kindOf(Header, C)) {
  case Kind::Each:
    return C.Values.pop(C.B, Header);
  case Kind::Shared:
    popWordIf(fillsWord(Header, C), Header, C);
    return C.Values.readWord(C.B, Header);
  default:
    return;
  }
}

void takeAtExit(const Step &Next, ReverseContext &C) {
  for (BasicBlock *Header : Next.Loops) {
    bool IsLatch = Next.Next == latchOf(Header, C);
    switch (kindOf(Header, C)) {
    case Kind::Each:
      if (!IsLatch)
        C.Values.pop(C.B, Header);
      break;
    case Kind::Shared:
      if (IsLatch) {
        popWordIf(C.B.CreateNot(fillsWord(Header, C)), Header, C);
        break;
      }
      C.Values.popWord(C.B, Header);
      C.Values.readWord(C.B, Header);
      break;
    default:
      break;
    }
  }
}

} // namespace kdiff
