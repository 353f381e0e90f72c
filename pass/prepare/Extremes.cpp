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
#include "prepare/Steps.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace kdiff;

namespace {

/// An atomic maximum or minimum, and the barrier behind it.
struct Extreme {
  AtomicRMWInst *RMW;
  Value *Number; ///< What is put, as floating point.
  CallInst *Barrier;
  Value *Address; ///< The target, as the barrier can name it.
};

/// The floating-point number that a maximum or minimum puts; else null.
Value *numberOf(AtomicRMWInst &RMW) {
  Value *V = RMW.getValOperand(), *Number = nullptr;
  switch (RMW.getOperation()) {
  case AtomicRMWInst::FMax:
  case AtomicRMWInst::FMin:
    return V;
  case AtomicRMWInst::Max:
  case AtomicRMWInst::Min:
  case AtomicRMWInst::UMax:
  case AtomicRMWInst::UMin:
    if (match(V, m_BitCast(m_Value(Number))) &&
        (Number->getType()->isFloatTy() || Number->getType()->isDoubleTy()))
      return Number;
    return nullptr;
  default:
    return nullptr;
  }
}

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

/// \p Pointer, as it can be named at \p At: itself, or its own indexing
/// repeated there. Null if what it is made of is not known there, or changes
/// with one of the loops \p Around.
Value *addressAt(Value *Pointer, Instruction &At, const DominatorTree &DT,
                 ArrayRef<const Loop *> Around) {
  auto IsKnown = [&](const Value *V) {
    return DT.dominates(V, &At) &&
           all_of(Around, [&](const Loop *L) { return L->isLoopInvariant(V); });
  };
  if (IsKnown(Pointer))
    return Pointer;
  auto *GEP = dyn_cast<GetElementPtrInst>(Pointer);
  if (!GEP ||
      !all_of(GEP->operands(), [&](const Use &U) { return IsKnown(U.get()); }))
    return nullptr;
  Instruction *Again = GEP->clone();
  Again->insertBefore(At.getIterator());
  return Again;
}

/// What the branch from \p From to \p To finds of the sign of \p Number: 1 for
/// at least zero, -1 for below zero, either perhaps NaN; 0 for nothing.
int signFoundBetween(const BasicBlock &From, const BasicBlock &To,
                     Value *Number) {
  auto *Br = dyn_cast<BranchInst>(From.getTerminator());
  if (!Br || !Br->isConditional() || Br->getSuccessor(0) == Br->getSuccessor(1))
    return 0;
  bool Holds = Br->getSuccessor(0) == &To;
  Value *Bits, *Condition = Br->getCondition();
  CmpPredicate Found;
  if (match(Condition, m_FCmp(Found, m_Specific(Number), m_AnyZeroFP()))) {
    CmpInst::Predicate P = Found;
    if (!Holds)
      P = CmpInst::getInversePredicate(P);
    switch (P) {
    case CmpInst::FCMP_OGE:
    case CmpInst::FCMP_OGT:
    case CmpInst::FCMP_UGE:
    case CmpInst::FCMP_UGT:
      return 1;
    case CmpInst::FCMP_OLT:
    case CmpInst::FCMP_ULT:
      return -1;
    default:
      return 0;
    }
  }
  if (!match(Condition, m_ICmp(Found, m_Value(Bits), m_Value())) ||
      !match(Bits, m_BitCast(m_Specific(Number))))
    return 0;
  Value *Other = cast<CmpInst>(Condition)->getOperand(1);
  if (Found == CmpInst::ICMP_SLT && match(Other, m_Zero()))
    return Holds ? -1 : 1;
  if (Found == CmpInst::ICMP_SGT && match(Other, m_AllOnes()))
    return Holds ? 1 : -1;
  return 0;
}

/// The same for all ways to \p B of at most \p Depth branches.
int signFoundFor(Value *Number, const BasicBlock &B, unsigned Depth = 6) {
  int Sign = 0;
  if (Depth == 0)
    return 0;
  for (const BasicBlock *Pred : predecessors(&B)) {
    int Here = signFoundBetween(*Pred, B, Number);
    if (Here == 0)
      Here = signFoundFor(Number, *Pred, Depth - 1);
    if (Here == 0 || (Sign != 0 && Sign != Here))
      return 0;
    Sign = Here;
  }
  return Sign;
}

/// Bits as signed integers have the order of numbers that are at least zero;
/// as unsigned ones, the reverse order of those below. \p Op does for such
/// numbers what the maximum (\p Up) or minimum of numbers does.
bool isHalfOf(bool Up, AtomicRMWInst::BinOp Op, int Sign) {
  if (Sign == 1)
    return Op == (Up ? AtomicRMWInst::Max : AtomicRMWInst::Min);
  return Sign == -1 && Op == (Up ? AtomicRMWInst::UMin : AtomicRMWInst::UMax);
}

/// The operations on \p Object go one way: no content comes twice. That is one
/// operation, or the two halves of a maximum or minimum of numbers.
bool goesOneWay(Function &F, const Value *Object) {
  SmallVector<AtomicRMWInst *, 4> All;
  for (Instruction &I : instructions(F)) {
    if (!I.isAtomic() || !accessedPointer(I) ||
        !is_contained(underlyingObjects(accessedPointer(I)), Object))
      continue;
    All.push_back(dyn_cast<AtomicRMWInst>(&I));
    if (!All.back())
      return false;
  }
  auto AreHalves = [&](bool Up) {
    return all_of(All, [&](AtomicRMWInst *RMW) {
      Value *Number = numberOf(*RMW);
      return Number && isHalfOf(Up, RMW->getOperation(),
                                signFoundFor(Number, *RMW->getParent()));
    });
  };
  return all_equal(map_range(
             All, [](AtomicRMWInst *RMW) { return RMW->getOperation(); })) ||
         AreHalves(true) || AreHalves(false);
}

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
      !goesOneWay(*RMW.getFunction(), Objects.front()))
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
  Value *Address = addressAt(Pointer, *Barrier, DT, Around);
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
