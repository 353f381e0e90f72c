//===- Extremes.cpp - Maxima that a block takes by atomics ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which thread does the derivative of an atomic
// maximum or minimum in shared memory belong to?
//
//   atomicMax(p, v);                  raised = kd.raise(max, p, v)
//   __syncthreads();          =>      __syncthreads()
//                                     if (raised && bits(v) == content of p)
//                                       *p = v
//                                     __syncthreads()
//
// The operation never takes back what it did, so that each content was put
// there by one thread, the first with that value: the store is done by that
// thread alone, and puts what is there already. It is a store like any other
// from here on, for either mode, until the lower stage takes it out again.
// Where a thread raised several times before the barrier, its last value
// counts.
//
//===----------------------------------------------------------------------===//

#include "analysis/Memory.h"
#include "prepare/ExtremeOrder.h"
#include "prepare/Steps.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace kdiff;

namespace {

/// An atomic maximum or minimum, and the barrier behind it.
struct Extreme {
  AtomicRMWInst *RMW;
  Value *Number; ///< What is put, as floating point.
  CallInst *Barrier;
  Value *Address; ///< The target, as the barrier can name it.
};

CallInst *asBlockBarrier(Instruction &I) {
  auto *CI = dyn_cast<CallInst>(&I);
  bool Waits = CI && classify(*CI) == CallClass::Barrier &&
               CI->getIntrinsicID() != Intrinsic::nvvm_bar_warp_sync &&
               nvptx::mirrorOf(*CI) != nvptx::Mirror::None;
  return Waits ? CI : nullptr;
}

/// The one barrier that every way from \p From comes to first; \p Seen gets
/// the blocks that the ways enter, \p Passed what stands on them.
CallInst *barrierBehind(Instruction &From, SmallPtrSetImpl<BasicBlock *> &Seen,
                        SmallVectorImpl<Instruction *> &Passed) {
  SmallSetVector<CallInst *, 2> Found;
  SmallVector<BasicBlock::iterator, 8> Work{std::next(From.getIterator())};
  while (!Work.empty()) {
    BasicBlock::iterator At = Work.pop_back_val();
    BasicBlock *B = At->getParent();
    CallInst *Barrier = nullptr;
    for (auto E = B->end(); At != E && !Barrier; ++At) {
      Barrier = asBlockBarrier(*At);
      Passed.push_back(&*At);
    }
    if (Barrier) {
      Found.insert(Barrier);
      continue;
    }
    if (succ_empty(B))
      return nullptr;
    for (BasicBlock *S : successors(B))
      if (Seen.insert(S).second)
        Work.push_back(S->begin());
  }
  return Found.size() == 1 ? Found.front() : nullptr;
}

/// What a thread may pass between another barrier of the block and \p Barrier.
SmallSetVector<Instruction *, 32> passedBefore(CallInst &Barrier) {
  SmallSetVector<Instruction *, 32> Passed;
  SmallVector<Instruction *, 8> Work{&Barrier};
  while (!Work.empty()) {
    Instruction *I = Work.pop_back_val();
    SmallVector<Instruction *, 4> Before;
    if (Instruction *Previous = I->getPrevNode())
      Before.push_back(Previous);
    else
      for (BasicBlock *Pred : predecessors(I->getParent()))
        Before.push_back(Pred->getTerminator());
    for (Instruction *Next : Before)
      if (!asBlockBarrier(*Next) && Passed.insert(Next))
        Work.push_back(Next);
  }
  return Passed;
}

/// Names addresses at a barrier that are computed before it.
class Repeater {
public:
  /// Nothing is known at \p At that changes with one of the loops \p Around.
  Repeater(Instruction &At, const DominatorTree &DT,
           ArrayRef<const Loop *> Around)
      : At(At), DT(DT), Around(Around) {}

  /// \p V as it can be named there: itself, or its integer arithmetic and
  /// indexing repeated. Null if what it is made of is not known there.
  Value *repeat(Value *V) {
    if (!canRepeat(V, MaxDepth))
      return nullptr;
    return clone(V);
  }

private:
  static constexpr unsigned MaxDepth = 8;

  bool isKnown(const Value *V) const {
    return DT.dominates(V, &At) &&
           all_of(Around, [&](const Loop *L) { return L->isLoopInvariant(V); });
  }
  bool canRepeat(const Value *V, unsigned Depth) const {
    if (isKnown(V))
      return true;
    auto *I = dyn_cast<Instruction>(V);
    return Depth != 0 && I &&
           isa<GetElementPtrInst, BinaryOperator, CastInst, CmpInst,
               SelectInst>(I) &&
           isSafeToSpeculativelyExecute(I) &&
           all_of(I->operands(), [&](const Use &Operand) {
             return canRepeat(Operand, Depth - 1);
           });
  }
  Value *clone(Value *V) {
    if (isKnown(V))
      return V;
    if (Value *Known = Clones.lookup(V))
      return Known;
    Instruction *Again = cast<Instruction>(V)->clone();
    for (Use &Operand : Again->operands())
      Operand.set(clone(Operand));
    Again->insertBefore(At.getIterator());
    return Clones[V] = Again;
  }

  Instruction &At;
  const DominatorTree &DT;
  ArrayRef<const Loop *> Around;
  SmallDenseMap<Value *, Value *, 8> Clones;
};

/// True if \p I may read or write \p Object other than by an atomic maximum or
/// minimum: before the winner is known, it would find, or change, the
/// derivative of another content.
bool mayTouch(Instruction &I, const Value *Object) {
  auto Leads = [&](const Value *Pointer) {
    return is_contained(underlyingObjects(Pointer), Object);
  };
  if (auto *RMW = dyn_cast<AtomicRMWInst>(&I); RMW && numberOf(*RMW))
    return false;
  if (const Value *Pointer = accessedPointer(I))
    return Leads(Pointer);
  auto *CB = dyn_cast<CallBase>(&I);
  return CB && any_of(CB->args(), [&](const Use &Arg) {
           return Arg->getType()->isPointerTy() && Leads(Arg);
         });
}

std::optional<Extreme> matchExtreme(AtomicRMWInst &RMW, const DominatorTree &DT,
                                    const LoopInfo &LI) {
  Value *Pointer = RMW.getPointerOperand();
  if (Pointer->getType()->getPointerAddressSpace() != nvptx::Shared ||
      !RMW.use_empty())
    return std::nullopt;
  Value *Number = numberOf(RMW);
  auto Objects = underlyingObjects(Pointer);
  if (!Number || Objects.size() != 1 ||
      !orderOf(*RMW.getFunction(), Objects.front()))
    return std::nullopt;
  SmallPtrSet<BasicBlock *, 16> Ways;
  SmallVector<Instruction *, 32> Passed;
  CallInst *Barrier = barrierBehind(RMW, Ways, Passed);
  if (!Barrier)
    return std::nullopt;
  // Of what other threads may do meanwhile, only what comes before they take
  // part is in front of the operation.
  auto ComesBefore = [&](Instruction &I) {
    SmallPtrSet<BasicBlock *, 16> Seen;
    SmallVector<Instruction *, 32> Then;
    barrierBehind(I, Seen, Then);
    return is_contained(Then, &RMW);
  };
  auto Spoils = [&](Instruction *I) { return mayTouch(*I, Objects.front()); };
  if (any_of(Passed, Spoils) ||
      any_of(passedBefore(*Barrier),
             [&](Instruction *I) { return Spoils(I) && !ComesBefore(*I); }))
    return std::nullopt;
  // The loops that go on to another trip before the barrier.
  SmallVector<const Loop *, 2> Around;
  for (const Loop *L = LI.getLoopFor(RMW.getParent()); L;
       L = L->getParentLoop())
    if (Ways.contains(L->getHeader()))
      Around.push_back(L);
  Value *Address = Repeater(*Barrier, DT, Around).repeat(Pointer);
  if (!Address)
    return std::nullopt;
  return Extreme{&RMW, Number, Barrier, Address};
}

/// The same barrier again, without the result that it may have.
void repeatBarrier(IRBuilderBase &B, CallInst &Barrier) {
  SmallVector<Value *, 3> Args(Barrier.args());
  if (nvptx::mirrorOf(Barrier) == nvptx::Mirror::Barrier)
    nvptx::createPlainBarrier(B, Barrier, Args);
  else
    B.Insert(Barrier.clone());
}

/// \p V has the bits of the content of \p Address.
Value *isContent(IRBuilderBase &B, Value *V, Value *Address, Type *T) {
  Value *Content = B.CreateLoad(T, Address);
  if (T->isFloatingPointTy())
    return B.CreateFCmpOEQ(V, Content);
  return B.CreateICmpEQ(B.CreateBitCast(V, T), Content);
}

/// The store of the winner behind the barrier, and a second barrier.
void rewrite(const Extreme &E, SmallVectorImpl<AllocaInst *> &Slots,
             SmallPtrSetImpl<CallInst *> &Repeated) {
  BasicBlock &Entry = E.RMW->getFunction()->getEntryBlock();
  IRBuilder<> Top(&Entry, Entry.begin());
  Type *T = E.Number->getType();
  AllocaInst *Raised = Top.CreateAlloca(Top.getInt1Ty());
  AllocaInst *Last = Top.CreateAlloca(T);
  Top.SetInsertPoint(&*Entry.getFirstNonPHIOrDbgOrAlloca());
  Top.CreateStore(Top.getFalse(), Raised);
  Top.CreateStore(Constant::getNullValue(T), Last);
  Slots.append({Raised, Last});

  IRBuilder<> B(E.RMW);
  Value *Raises = nvptx::createRaise(B, *E.RMW);
  B.CreateStore(B.CreateOr(B.CreateLoad(B.getInt1Ty(), Raised), Raises),
                Raised);
  B.CreateStore(B.CreateSelect(Raises, E.Number, B.CreateLoad(T, Last)), Last);

  B.SetInsertPoint(E.Barrier->getNextNode());
  if (Repeated.insert(E.Barrier).second) {
    B.SetCurrentDebugLocation(E.Barrier->getDebugLoc());
    repeatBarrier(B, *E.Barrier);
  }
  B.SetInsertPoint(E.Barrier->getNextNode());
  B.SetCurrentDebugLocation(E.RMW->getDebugLoc());
  Value *V = B.CreateLoad(T, Last);
  Value *Wins = B.CreateAnd(B.CreateLoad(B.getInt1Ty(), Raised),
                            isContent(B, V, E.Address, E.RMW->getType()));
  B.CreateStore(B.getFalse(), Raised);
  B.CreateStore(Constant::getNullValue(T), Last);
  Instruction *Then =
      SplitBlockAndInsertIfThen(Wins, B.GetInsertPoint(), false);
  B.SetInsertPoint(Then);
  nvptx::markAsContent(*B.CreateStore(V, E.Address));
  E.RMW->eraseFromParent();
}

} // namespace

bool kdiff::settleExtremes(Function &F) {
  SmallVector<AtomicRMWInst *, 4> All;
  for (Instruction &I : instructions(F))
    if (auto *RMW = dyn_cast<AtomicRMWInst>(&I))
      All.push_back(RMW);
  SmallVector<Extreme, 2> Extremes;
  DominatorTree DT(F);
  LoopInfo LI(DT);
  for (AtomicRMWInst *RMW : All)
    if (auto E = matchExtreme(*RMW, DT, LI))
      Extremes.push_back(*E);
  SmallVector<AllocaInst *, 4> Slots;
  SmallPtrSet<CallInst *, 2> Repeated;
  for (const Extreme &E : Extremes)
    rewrite(E, Slots, Repeated);
  DT.recalculate(F);
  PromoteMemToReg(Slots, DT);
  return !Extremes.empty();
}
