//===- Reverse.cpp - The control flow of the reverse sweep ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does the reverse sweep visit the blocks of
// the primal in the reverse of the order in which they ran?
//
// Every reversed block has a reverse block; ReverseLoops.h says how they make
// loops.
//
//===----------------------------------------------------------------------===//

#include "emit/Reverse.h"
#include "emit/BlockLoop.h"
#include "emit/Records.h"
#include "emit/ReverseLoops.h"
#include "plan/Unwanted.h"
#include "target/Sync.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

namespace {

class ReverseSweep {
public:
  ReverseSweep(Subject &S, const Activity &A, const Shadows &Sh, const Plan &P,
               const Flow &Fl, Callees &Calls)
      : S(S), A(A), Sh(Sh), Fl(Fl), F(*S.P.F), C(S, A, Sh, P, Fl, Calls),
        Loops(C) {}
  BasicBlock *run();

private:
  BasicBlock *block(const Twine &Name) {
    return BasicBlock::Create(F.getContext(), Name, &F);
  }
  BasicBlock *reverse(BasicBlock *B) const { return Reverse.lookup(B); }
  void createBlocks();
  void reverseBlock(BasicBlock &B);
  void leave(BasicBlock &B, const Step &Next);
  void leaveJoin(BasicBlock &B);
  void leaveExit(BasicBlock &B, const Step &Next);
  void leaveHeader(BasicBlock &B);
  SmallVector<PhiAdjoints, 4> takePhis(BasicBlock &B);
  void handOn(ArrayRef<PhiAdjoints> Taken, BasicBlock *Pred);
  void enter();
  void leaveIfExhausted(Value *State);
  void carryOver(Value *State);
  Value *adjointsOfArguments();
  void returnToCaller(Value *Result);

  Subject &S;
  const Activity &A;
  const Shadows &Sh;
  const Flow &Fl;
  Function &F;
  ReverseContext C;
  ReverseLoops Loops;
  DenseMap<BasicBlock *, BasicBlock *> Reverse;
  BasicBlock *First = nullptr; ///< Of the sweep.
  BasicBlock *Clear = nullptr; ///< Clears all adjoints.
  BasicBlock *Over = nullptr;  ///< Behind the reverse of the entry block.
  BasicBlock *Done = nullptr;  ///< Returns; also where no sweep is made.
  /// Of the persistent form: the way to the next block, and behind the last.
  BasicBlock *Latch = nullptr, *Behind = nullptr;
};

} // namespace

void ReverseSweep::createBlocks() {
  for (auto &[B, Next] : Fl.steps())
    Reverse[B] = block("rev." + B->getName());
  Loops.create();
  Clear = block("rev.clear");
  Over = block("rev.over");
  Done = block("rev.done");
}

void ReverseSweep::reverseBlock(BasicBlock &B) {
  C.B.SetInsertPoint(reverse(&B));
  C.Values.enterBlock(&B);
  for (auto &[Header, Shape] : S.P.Loops)
    if (Shape.Latch == &B)
      takeAtLatch(Header, C);
  fillTiles(&B, C);
  if (auto Test = C.P.Tests.find(&B); Test != C.P.Tests.end())
    askFinite(Test->second, C);
  // A snapshot: emitters may add calls to the forward sweep.
  SmallVector<Instruction *, 16> Work;
  for (Instruction &I : llvm::reverse(B))
    if (!isa<PHINode>(I) && !I.isTerminator() && Flow::hasWork(I, A))
      Work.push_back(&I);
  for (Instruction *I : Work) {
    C.B.SetCurrentDebugLocation(I->getDebugLoc());
    reverseInstruction(*I, C);
  }
  C.B.SetCurrentDebugLocation(B.getTerminator()->getDebugLoc());
  leave(B, Fl.steps().find(&B)->second);
}

/// Reads and clears the adjoints of all phis before any is handed on: one phi
/// may feed another.
SmallVector<PhiAdjoints, 4> ReverseSweep::takePhis(BasicBlock &B) {
  SmallVector<PhiAdjoints, 4> Taken;
  for (PHINode &Phi : B.phis())
    if (A.isActive(&Phi))
      Taken.push_back({&Phi, C.Adj.takeAll(C.B, &Phi)});
  return Taken;
}

/// To what came from \p Pred.
void ReverseSweep::handOn(ArrayRef<PhiAdjoints> Taken, BasicBlock *Pred) {
  for (auto &[Phi, Adjoints] : Taken)
    C.Adj.addAll(C.B, Phi->getIncomingValueForBlock(Pred), Adjoints);
}

void ReverseSweep::leave(BasicBlock &B, const Step &Next) {
  switch (Next.How) {
  case Leave::Entry:
    C.B.CreateBr(Over);
    return;
  case Leave::To:
    handOn(takePhis(B), Next.Next);
    C.B.CreateBr(reverse(Next.Next));
    return;
  case Leave::Join:
    return leaveJoin(B);
  case Leave::Exit:
    return leaveExit(B, Next);
  case Leave::Header:
    return leaveHeader(B);
  }
}

void ReverseSweep::leaveJoin(BasicBlock &B) {
  const Join &J = S.P.Joins.find(&B)->second;
  Value *Selector = C.primal(J.Selector);
  auto Taken = takePhis(B);
  SmallVector<BasicBlock *, 4> Edges;
  BasicBlock *Here = C.B.GetInsertBlock();
  for (BasicBlock *Pred : J.Preds) {
    BasicBlock *Edge = block("rev.edge." + Pred->getName());
    C.B.SetInsertPoint(Edge);
    handOn(Taken, Pred);
    C.B.CreateBr(reverse(Pred));
    Edges.push_back(Edge);
  }
  C.B.SetInsertPoint(Here);
  if (Selector->getType()->isIntegerTy(1)) {
    C.B.CreateCondBr(Selector, Edges[1], Edges[0]);
    return;
  }
  SwitchInst *Switch = C.B.CreateSwitch(Selector, Edges[0]);
  for (unsigned K = 1; K != Edges.size(); ++K)
    Switch->addCase(ConstantInt::get(cast<IntegerType>(Selector->getType()), K),
                    Edges[K]);
}

void ReverseSweep::leaveExit(BasicBlock &B, const Step &Next) {
  handOn(takePhis(B), Next.Next);
  Loops.enter(&B, Next);
}

void ReverseSweep::leaveHeader(BasicBlock &B) {
  const LoopShape &Shape = S.P.Loops.find(&B)->second;
  ReverseLoops::Ways W = Loops.leaveHeader(&B, takePhis(B));

  C.B.SetInsertPoint(W.Out);
  handOn(W.ToPreheader, Shape.Preheader);
  C.Later.leaveLoop(C.B, &B, C.Values);
  C.B.CreateBr(reverse(Shape.Preheader));

  C.B.SetInsertPoint(W.Back);
  handOn(W.ToLatch, Shape.Latch);
  Loops.next(&B);
}

/// From the end of the primal's launch to the start of the reverse sweep's.
void ReverseSweep::carryOver(Value *State) {
  unsigned Layout = C.P.layout(S);
  if (State)
    createTapeSuspend(C.B, State, Layout);
  First = block("rev.begin");
  C.B.CreateBr(First);
  C.B.SetInsertPoint(First);
  if (State)
    createTapeResume(C.B, State, S.Tape, Layout);
}

/// A thread that lacked room on the tape skips the reverse sweep, with all that
/// would wait for it there. Where these may have passed other barriers than it
/// did, so that they cannot be told, it ends, and nobody waits for it.
void ReverseSweep::leaveIfExhausted(Value *State) {
  Value *Exhausted = createTapeExhausted(C.B, State);
  Waiting Whom = waitingInReverse(C);
  if (Whom == Waiting::Block && !meetBeforeReverse(C)) {
    BasicBlock *End = block("rev.exhausted");
    C.B.CreateCondBr(Exhausted, End, Clear);
    C.B.SetInsertPoint(End);
    createTapeClose(C.B, State);
    nvptx::createExit(C.B);
    C.B.CreateUnreachable();
    return;
  }
  if (Whom == Waiting::Block)
    Exhausted = nvptx::createBlockAny(C.B, Exhausted);
  else if (Whom == Waiting::Warp)
    Exhausted = nvptx::createWarpAny(C.B, Exhausted);
  C.B.CreateCondBr(Exhausted, Done, Clear);
}

/// From the end of the primal into the reverse sweep, unless the tape was
/// exhausted: then the launch has noted it, and nothing is added anywhere.
void ReverseSweep::enter() {
  S.P.ReturnBlock->getTerminator()->eraseFromParent();
  C.B.SetInsertPoint(S.P.ReturnBlock);
  if (S.S == Shape::Request)
    C.Later.clear(C.B);
  Value *State = S.S == Shape::Callee ? nullptr : C.Values.tapeState();
  First = Clear;
  if (S.S == Shape::Split) {
    carryOver(State);
    C.Later.clear(C.B);
  }
  if (State) {
    leaveIfExhausted(State);
    IRBuilder<> Top(&*F.getEntryBlock().getFirstNonPHIOrDbgOrAlloca());
    if (S.S == Shape::Split)
      createTapeBegin(Top, State, S.Tape);
    else
      createTapeOpen(Top, State, S.Tape);
  } else {
    C.B.CreateBr(Clear);
  }
  C.B.SetInsertPoint(Clear);
  C.Values.enterBlock(nullptr);
  C.Values.pop(C.B, nullptr);
  if (S.isCut())
    Sh.clearLocals(C.B);
  if (S.S == Shape::Callee)
    C.Later.clear(C.B);
  clearSharedShadows(C);
  C.Adj.clearAll(C.B);
  if (S.Result && A.isActive(S.Result)) {
    auto One = [&] { return ConstantFP::get(A.adjointType(S.Result), 1.0); };
    C.Adj.addAll(C.B, S.Result,
                 S.Seed ? unpackLanes(C.B, S.Seed, S.Width)
                        : LaneValues(S.Width, One()));
  }
  C.B.CreateBr(reverse(S.P.ReturnBlock));
}

/// What the gradient returns: the adjoints of the Out arguments. Those of the
/// Acc arguments are added where the caller wants them.
Value *ReverseSweep::adjointsOfArguments() {
  SmallVector<Value *, 4> Adjoints;
  for (const Formal &Arg : S.Formals) {
    if (Arg.Activity != ArgActivity::Out && Arg.Activity != ArgActivity::Acc)
      continue;
    Constant *Zero = Constant::getNullValue(Arg.Primal->getType());
    LaneValues All;
    C.Adj.forEachLane([&] {
      // Adding +0.0 turns the neutral -0.0 of an unused argument into +0.0.
      All.push_back(A.isActive(Arg.Primal)
                        ? C.B.CreateFAdd(C.Adj.read(C.B, Arg.Primal), Zero)
                        : Zero);
      if (Arg.Activity == ArgActivity::Acc && A.isActive(Arg.Primal))
        C.Later.addScalar(C.B, Arg, C.Adj.lane(), All.back());
    });
    if (Arg.Activity == ArgActivity::Out)
      Adjoints.push_back(packLanes(C.B, All));
  }
  Type *Ret = F.getReturnType();
  if (Adjoints.empty())
    return nullptr;
  if (!Ret->isStructTy())
    return Adjoints.front();
  Value *Result = PoisonValue::get(Ret);
  for (unsigned K = 0; K != Adjoints.size(); ++K)
    Result = C.B.CreateInsertValue(Result, Adjoints[K], K);
  return Result;
}

/// NaN in every floating-point member of \p T.
static Constant *nanOf(Type *T) {
  if (auto *Array = dyn_cast<ArrayType>(T))
    return ConstantArray::get(
        Array, SmallVector<Constant *, 4>(Array->getNumElements(),
                                          nanOf(Array->getElementType())));
  auto *Struct = dyn_cast<StructType>(T);
  if (!Struct)
    return cast<Constant>(ConstantFP::getNaN(T));
  SmallVector<Constant *, 4> Members;
  for (Type *Member : Struct->elements())
    Members.push_back(nanOf(Member));
  return ConstantStruct::get(Struct, Members);
}

/// Returns to the caller. A thread whose tape was exhausted returns NaN.
void ReverseSweep::returnToCaller(Value *Result) {
  C.B.SetInsertPoint(Done);
  PHINode *Returned = Result ? C.B.CreatePHI(Result->getType(), 2) : nullptr;
  if (Returned)
    for (BasicBlock *Pred : predecessors(Done))
      Returned->addIncoming(Pred == Over ? Result : nanOf(Result->getType()),
                            Pred);
  C.Later.finish(C.B, C.Values);
  if (C.Values.tapeState() && S.S != Shape::Callee)
    createTapeClose(C.B, C.Values.tapeState());
  if (C.P.Adds.Persistent) {
    assert(!Returned && "the caller, who does nothing else, uses no result");
    Behind = block("rev.grid");
    C.B.CreateBr(Latch = block("rev.next"));
    C.B.SetInsertPoint(Behind);
    C.Later.finishGrid(C.B, C.Values);
  }
  if (Returned)
    C.B.CreateRet(Returned);
  else
    C.B.CreateRetVoid();
}

BasicBlock *ReverseSweep::run() {
  createBlocks();
  IRBuilder<> Return(S.P.ReturnBlock->getTerminator());
  C.Values.push(Return, nullptr);
  for (auto &[B, Next] : Fl.steps())
    reverseBlock(*B);
  for (auto &[Header, Shape] : S.P.Loops)
    if (Fl.isReversed(Header))
      Loops.build(Header, [&](BasicBlock *B) { return reverse(B); });
  C.B.SetInsertPoint(Over);
  Value *Result = adjointsOfArguments();
  C.B.CreateBr(Done);
  // Last, when every adjoint has its slot.
  enter();
  returnToCaller(Result);
  leaveRecords(C);
  for (auto &[Call, Augmented] : C.Replaced) {
    Call->replaceAllUsesWith(Augmented);
    if (S.Result == Call)
      S.Result = Augmented;
    Call->eraseFromParent();
  }
  watchClaims(C);
  eraseUnwanted(C.P.Unwanted);
  if (C.P.Adds.Persistent) {
    Instruction *Front = emitBlockLoop(*Latch, *Behind);
    C.B.SetInsertPoint(Front);
    C.Later.clearGrid(C.B);
    BasicBlock *Body = Front->getSuccessor(0);
    C.B.SetInsertPoint(Body, Body->getFirstInsertionPt());
    C.Values.forget(C.B);
  }
  return First;
}

BasicBlock *emitReverse(Subject &S, const Activity &A, const Shadows &Sh,
                        const Plan &P, const Flow &Fl, Callees &Calls) {
  return ReverseSweep(S, A, Sh, P, Fl, Calls).run();
}

} // namespace kdiff
