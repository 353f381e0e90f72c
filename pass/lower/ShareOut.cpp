//===- ShareOut.cpp - Lanes run each other's iterations -------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the lanes of a warp share out the
// iterations of a loop?
//
// The lanes at hand put their iterations in a row, in the order of the lanes,
// and run as many of them in each round as they are:
//
//   meet -> part -> round -> body -> round end -> part end -> apart
//             ^       ^---------------- |             |
//             +---------------------------------------+
//
// A lane gets the number of its item's iteration, and the values that the body
// has from outside, from the lane whose iteration it is. Each part takes no
// more than 2^26 iterations of a lane, so that a word counts all of them.
//
// The lanes at hand are asked for once. The others of the warp, should they
// come later, make rounds of their own.
//
//===----------------------------------------------------------------------===//

#include "lower/Abstract.h"
#include "lower/LiveIns.h"
#include "lower/Meeting.h"
#include "lower/Steps.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace kdiff;

/// runtime/device/share.cpp, compiled.
static constexpr unsigned char RuntimeBytes[] = {
#include "ShareRuntime.inc"
};

/// Iterations of a lane that a part takes.
static constexpr uint64_t PartLength = uint64_t(1) << 26;

namespace {

class SharedLoop {
public:
  SharedLoop(Loop &L, FunctionAnalysisManager &FAM)
      : L(L), F(*L.getHeader()->getParent()), FAM(FAM), B(F.getContext()) {}

  /// True if the loop is as emit wrote it.
  bool match();
  void share();

private:
  /// Of a row of items.
  struct Part {
    Value *Done;     ///< How many of its iterations each lane has run before.
    Value *Before;   ///< Items of the lanes below.
    Value *Total;    ///< Items of all lanes.
    Value *Has;      ///< Whether this lane has any.
    Value *Owners;   ///< The lanes that have any.
    Value *Place;    ///< This lane's number among those at hand.
    Value *Together; ///< How many these are.
  };

  bool countsDown();
  bool leavesOnlySums() const;
  CallInst *call(const Twine &Name, Type *Result, ArrayRef<Value *> Args);
  Part makePart(BasicBlock *Meet, Value *All, BasicBlock *Apart);
  Value *tellOwner(const Part &P, Value *First);
  void takeBody(Value *Number, Value *Owner);
  void makeRound(const Part &P);

  Loop &L;
  Function &F;
  FunctionAnalysisManager &FAM;
  IRBuilder<> B;
  PHINode *Counter = nullptr;
  Value *Mask = nullptr;                           ///< The lanes at hand.
  BasicBlock *Start = nullptr, *PartEnd = nullptr; ///< Of a part.
  BasicBlock *Round = nullptr, *RoundEnd = nullptr;
};

} // namespace

/// True if a number that starts at the last iteration's and ends with 0 is all
/// that the loop carries.
bool SharedLoop::countsDown() {
  auto Phis = L.getHeader()->phis();
  if (!hasSingleElement(Phis) || !Phis.begin()->getType()->isIntegerTy())
    return false;
  Counter = &*Phis.begin();
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto *Moving = dyn_cast<SCEVAddRecExpr>(SE.getSCEV(Counter));
  return Moving && Moving->getLoop() == &L && Moving->isAffine() &&
         Moving->getStepRecurrence(SE)->isAllOnesValue() &&
         SE.getBackedgeTakenCount(&L) == Moving->getStart();
}

/// True if the body reads memory that all lanes can read, and leaves nothing
/// but sums there.
bool SharedLoop::leavesOnlySums() const {
  auto IsHarmless = [&](const Instruction &I) {
    if (any_of(I.users(), [&](const User *U) {
          return !L.contains(cast<Instruction>(U));
        }))
      return false;
    if (I.isDebugOrPseudoInst() || !I.mayReadOrWriteMemory())
      return !I.mayHaveSideEffects();
    if (const Value *Pointer = getLoadStorePointerOperand(&I))
      return isNeverOwn(Pointer) && !I.isAtomic() && !I.isVolatile();
    if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
      return isNeverOwn(RMW->getPointerOperand()) && RMW->use_empty();
    auto *Call = dyn_cast<CallInst>(&I);
    const Function *Callee = Call ? Call->getCalledFunction() : nullptr;
    if (!Callee)
      return false;
    // Of libdevice only functions without memory are in such loops.
    return Callee->getIntrinsicID() == Intrinsic::assume ||
           Callee->getName().starts_with("__nv_") ||
           (abstractOp(*Callee) == AbstractOp::Accumulate &&
            isNeverOwn(Call->getArgOperand(0)));
  };
  return all_of(L.blocks(), [&](const BasicBlock *Block) {
    return all_of(*Block, IsHarmless);
  });
}

bool SharedLoop::match() {
  BasicBlock *Exiting = L.getExitingBlock(), *Latch = L.getLoopLatch();
  if (!L.isLoopSimplifyForm() || !L.isInnermost() || !Exiting ||
      !L.getExitBlock())
    return false;
  // What lies behind the way out is not part of the last iteration.
  bool Ends = Exiting == Latch || (Latch->getSinglePredecessor() == Exiting &&
                                   none_of(*Latch, [](const Instruction &I) {
                                     return I.mayHaveSideEffects();
                                   }));
  return Ends && countsDown() && leavesOnlySums();
}

CallInst *SharedLoop::call(const Twine &Name, Type *Result,
                           ArrayRef<Value *> Args) {
  CallInst *Call = createRuntimeCall(B, Name.str(), Result, Args);
  // The lanes at hand are those that make the call.
  Call->setConvergent();
  return Call;
}

/// In the round that begins with item \p First: the lane whose item this lane
/// has.
Value *SharedLoop::tellOwner(const Part &P, Value *First) {
  Type *Word = B.getInt32Ty();
  Value *Begin = call("__kd_share_begin", Word, {Mask, P.Has, P.Before, First});
  Value *Begins =
      B.CreateIntrinsic(Intrinsic::nvvm_redux_sync_or, {Begin, Mask});
  return call("__kd_share_owner", Word,
              {Mask, P.Has, P.Before, First, P.Owners, Begins});
}

/// The body runs iteration \p Number of the lane \p Owner.
void SharedLoop::takeBody(Value *Number, Value *Owner) {
  LiveIns Outer(L, Counter);
  Outer.exchange(B, Mask, Owner);
  Counter->replaceAllUsesWith(B.CreateZExtOrTrunc(Number, Counter->getType()));
  BasicBlock *Exiting = L.getExitingBlock(), *Latch = L.getLoopLatch();
  Instruction *Way = Exiting->getTerminator();
  BranchInst::Create(RoundEnd, Way->getIterator())
      ->setDebugLoc(Way->getDebugLoc());
  Way->eraseFromParent();
  Counter->eraseFromParent();
  if (Latch != Exiting)
    DeleteDeadBlock(Latch);
}

/// The round: each lane takes an item of another lane, or its own.
void SharedLoop::makeRound(const Part &P) {
  B.SetInsertPoint(Round);
  PHINode *First = B.CreatePHI(B.getInt32Ty(), 2, "first");
  Value *Item = B.CreateAdd(First, P.Place, "item");
  Value *Owner = tellOwner(P, First);
  Value *InOwner =
      B.CreateSub(Item, createFromLane(B, Mask, P.Before, Owner), "in.owner");
  Value *Number = B.CreateAdd(P.Done, B.CreateZExt(InOwner, B.getInt64Ty()));
  BasicBlock *Body = L.getHeader();
  takeBody(Number, Owner);
  B.CreateCondBr(B.CreateICmpULT(Item, P.Total), Body, RoundEnd);

  B.SetInsertPoint(RoundEnd);
  Value *Next = B.CreateAdd(First, P.Together);
  B.CreateCondBr(B.CreateICmpULT(Next, P.Total), Round, PartEnd);
  First->addIncoming(B.getInt32(0), Start);
  First->addIncoming(Next, RoundEnd);
}

/// The parts, each of which is a row of items; \p All: this lane's.
SharedLoop::Part SharedLoop::makePart(BasicBlock *Meet, Value *All,
                                      BasicBlock *Apart) {
  Part P;
  B.SetInsertPoint(Start);
  PHINode *Left = B.CreatePHI(B.getInt64Ty(), 2, "left");
  PHINode *Done = B.CreatePHI(B.getInt64Ty(), 2, "done");
  Value *Count = B.CreateTrunc(
      B.CreateBinaryIntrinsic(Intrinsic::umin, Left, B.getInt64(PartLength)),
      B.getInt32Ty(), "count");
  Value *Row = call("__kd_share_row", B.getInt64Ty(), {Mask, Count});
  P.Done = Done;
  P.Before = B.CreateTrunc(Row, B.getInt32Ty(), "before");
  P.Total = B.CreateTrunc(B.CreateLShr(Row, 32), B.getInt32Ty(), "total");
  P.Has = B.CreateIsNotNull(Count);
  P.Owners = B.CreateIntrinsic(Intrinsic::nvvm_vote_ballot_sync, {Mask, P.Has});
  P.Place = call("__kd_share_place", B.getInt32Ty(), {Mask});
  P.Together = B.CreateUnaryIntrinsic(Intrinsic::ctpop, Mask);
  B.CreateCondBr(B.CreateIsNotNull(P.Total), Round, PartEnd);

  B.SetInsertPoint(PartEnd);
  Value *Rest = B.CreateSub(Left, B.CreateZExt(Count, B.getInt64Ty()));
  Value *Any = B.CreateIntrinsic(Intrinsic::nvvm_vote_any_sync,
                                 {Mask, B.CreateIsNotNull(Rest)});
  Value *Behind = B.CreateAdd(Done, B.getInt64(PartLength));
  B.CreateCondBr(Any, Start, Apart);
  Left->addIncoming(All, Meet);
  Left->addIncoming(Rest, PartEnd);
  Done->addIncoming(B.getInt64(0), Meet);
  Done->addIncoming(Behind, PartEnd);
  return P;
}

void SharedLoop::share() {
  DebugLoc Place = L.getLoopLatch()->getTerminator()->getDebugLoc();
  BasicBlock *Preheader = L.getLoopPreheader();
  B.SetInsertPoint(Preheader->getTerminator());
  B.SetCurrentDebugLocation(Place);
  Value *Last = Counter->getIncomingValueForBlock(Preheader);
  Value *Own =
      B.CreateAdd(B.CreateZExtOrTrunc(Last, B.getInt64Ty()), B.getInt64(1));
  Meeting Lanes(L, FAM);
  auto Block = [&](const Twine &Name) {
    return BasicBlock::Create(F.getContext(), Name, &F);
  };
  Start = Block("share.part");
  Round = Block("share.round");
  RoundEnd = Block("share.round.end");
  PartEnd = Block("share.part.end");
  BasicBlock *Apart = Block("share.apart");

  Instruction *ToBody = Lanes.start()->getTerminator();
  B.SetInsertPoint(ToBody);
  B.SetCurrentDebugLocation(Place);
  Value *All = Lanes.choose(Own, B.getInt64(0));
  Mask = B.CreateIntrinsic(Intrinsic::nvvm_activemask, {});
  // What the owner has written is for the other lanes to read from now on.
  B.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {Mask});
  B.CreateBr(Start);
  ToBody->eraseFromParent();
  makeRound(makePart(Lanes.start(), All, Apart));
  B.SetInsertPoint(Apart);
  // What others have added for the owner is for it to read.
  B.CreateIntrinsic(Intrinsic::nvvm_bar_warp_sync, {Mask});
  B.CreateBr(Lanes.end());
  Lanes.repair();
}

/// The next loop of \p F that is to be shared out.
static Loop *nextLoop(Function &F, FunctionAnalysisManager &FAM) {
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (getBooleanLoopAttribute(L, ShareAttribute))
      return L;
  return nullptr;
}

void kdiff::shareLoopsOut(Function &F, FunctionAnalysisManager &FAM) {
  while (nextLoop(F, FAM)) {
    FAM.invalidate(F, LoopSimplifyPass().run(F, FAM));
    FAM.invalidate(F, LCSSAPass().run(F, FAM));
    Loop *L = nextLoop(F, FAM);
    SharedLoop Shared(*L, FAM);
    bool IsExpected = Shared.match();
    L->setLoopID(nullptr);
    if (IsExpected)
      Shared.share();
    FAM.invalidate(F, PreservedAnalyses::none());
  }
}

void kdiff::linkShareRuntime(Module &M) {
  if (!M.getFunction("__kd_share_row"))
    return;
  linkNeeded(M, readRuntime(RuntimeBytes, "share.bc", M.getContext()), {});
}
