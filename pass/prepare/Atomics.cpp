//===- Atomics.cpp - Atomic operations in disguise --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which calls and which loops around a
// compare-and-swap are an atomicrmw instruction?
//
// The loop (CUDA C++ Programming Guide, "Atomic Functions"):
//
//   do { seen = old; old = atomicCAS(p, seen, bits(seen as number + v)); }
//   while (old != seen);
//
// It adds as the instruction does, but for single precision in global memory,
// where PTX flushes subnormal numbers ("atom"): the lower stage makes a loop of
// that instruction again. With fmax or fmin in place of the sum it is what LLVM
// makes of atomicrmw fmax and fmin, for which PTX has no instruction.
//
//===----------------------------------------------------------------------===//

#include "analysis/Memory.h"
#include "prepare/Steps.h"
#include "rules/Rules.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace kdiff;

namespace {

using Operation = AtomicRMWInst::BinOp;

/// The operation of llvm.nvvm.atomic.*, and whether its scope is the block
/// (else the system). Maxima are left: their names do not tell the sign.
std::optional<std::pair<Operation, bool>> operationOf(const CallInst &CI) {
  switch (CI.getIntrinsicID()) {
  case Intrinsic::nvvm_atomic_add_gen_f_cta:
    return {{AtomicRMWInst::FAdd, true}};
  case Intrinsic::nvvm_atomic_add_gen_f_sys:
    return {{AtomicRMWInst::FAdd, false}};
  case Intrinsic::nvvm_atomic_add_gen_i_cta:
    return {{AtomicRMWInst::Add, true}};
  case Intrinsic::nvvm_atomic_add_gen_i_sys:
    return {{AtomicRMWInst::Add, false}};
  case Intrinsic::nvvm_atomic_and_gen_i_cta:
    return {{AtomicRMWInst::And, true}};
  case Intrinsic::nvvm_atomic_and_gen_i_sys:
    return {{AtomicRMWInst::And, false}};
  case Intrinsic::nvvm_atomic_or_gen_i_cta:
    return {{AtomicRMWInst::Or, true}};
  case Intrinsic::nvvm_atomic_or_gen_i_sys:
    return {{AtomicRMWInst::Or, false}};
  case Intrinsic::nvvm_atomic_xor_gen_i_cta:
    return {{AtomicRMWInst::Xor, true}};
  case Intrinsic::nvvm_atomic_xor_gen_i_sys:
    return {{AtomicRMWInst::Xor, false}};
  case Intrinsic::nvvm_atomic_exch_gen_i_cta:
    return {{AtomicRMWInst::Xchg, true}};
  case Intrinsic::nvvm_atomic_exch_gen_i_sys:
    return {{AtomicRMWInst::Xchg, false}};
  case Intrinsic::nvvm_atomic_inc_gen_i_cta:
    return {{AtomicRMWInst::UIncWrap, true}};
  case Intrinsic::nvvm_atomic_inc_gen_i_sys:
    return {{AtomicRMWInst::UIncWrap, false}};
  case Intrinsic::nvvm_atomic_dec_gen_i_cta:
    return {{AtomicRMWInst::UDecWrap, true}};
  case Intrinsic::nvvm_atomic_dec_gen_i_sys:
    return {{AtomicRMWInst::UDecWrap, false}};
  default:
    return std::nullopt;
  }
}

bool rewriteCall(CallInst &CI) {
  auto Found = operationOf(CI);
  if (!Found)
    return false;
  IRBuilder<> B(&CI);
  SyncScope::ID Scope =
      Found->second ? CI.getContext().getOrInsertSyncScopeID(nvptx::BlockScope)
                    : SyncScope::System;
  CI.replaceAllUsesWith(B.CreateAtomicRMW(Found->first, CI.getArgOperand(0),
                                          CI.getArgOperand(1), MaybeAlign(),
                                          AtomicOrdering::Monotonic, Scope));
  CI.eraseFromParent();
  return true;
}

/// The loop of one block in which a compare-and-swap does what an atomicrmw
/// does.
struct UpdatingLoop {
  AtomicCmpXchgInst *Swap = nullptr;
  PHINode *Seen = nullptr;    ///< What the swap expects.
  Instruction *Old = nullptr; ///< What it found.
  Value *Operand = nullptr;
  Operation Op = AtomicRMWInst::FAdd;
  BasicBlock *Exit = nullptr;
};

/// fmax or fmin of \p X and \p Y, as a call of libdevice or an intrinsic.
std::optional<Operation> matchExtreme(Value *V, Value *&X, Value *&Y) {
  if (match(V, m_Intrinsic<Intrinsic::maxnum>(m_Value(X), m_Value(Y))))
    return AtomicRMWInst::FMax;
  if (match(V, m_Intrinsic<Intrinsic::minnum>(m_Value(X), m_Value(Y))))
    return AtomicRMWInst::FMin;
  auto *CI = dyn_cast<CallInst>(V);
  const Function *F = CI ? CI->getCalledFunction() : nullptr;
  if (!F || CI->arg_size() != 2)
    return std::nullopt;
  X = CI->getArgOperand(0);
  Y = CI->getArgOperand(1);
  return StringSwitch<std::optional<Operation>>(F->getName())
      .Cases({"__nv_fmax", "__nv_fmaxf"}, AtomicRMWInst::FMax)
      .Cases({"__nv_fmin", "__nv_fminf"}, AtomicRMWInst::FMin)
      .Default(std::nullopt);
}

/// What is seen, as a number, and another one: sets Operand and Op.
bool matchUpdate(UpdatingLoop &L) {
  Value *New, *X = nullptr, *Y = nullptr;
  auto SeenAsNumber = m_BitCast(m_Specific(L.Seen));
  if (!match(L.Swap->getNewValOperand(), m_BitCast(m_Value(New))))
    return false;
  if (match(New, m_c_FAdd(SeenAsNumber, m_Value(Y)))) {
    L.Op = AtomicRMWInst::FAdd;
  } else if (match(New, m_FSub(SeenAsNumber, m_Value(Y)))) {
    L.Op = AtomicRMWInst::FSub;
  } else if (std::optional<Operation> Op = matchExtreme(New, X, Y)) {
    L.Op = *Op;
    if (match(Y, SeenAsNumber))
      std::swap(X, Y);
    if (!match(X, SeenAsNumber))
      return false;
  } else {
    return false;
  }
  auto *I = dyn_cast<Instruction>(Y);
  if (I && I->getParent() == L.Swap->getParent())
    return false;
  L.Operand = Y;
  return New->getType()->isDoubleTy() || New->getType()->isFloatTy();
}

/// The loop goes on for as long as the swap failed.
bool matchBranch(UpdatingLoop &L) {
  BasicBlock *B = L.Swap->getParent();
  auto *Br = dyn_cast<BranchInst>(B->getTerminator());
  if (!Br || !Br->isConditional())
    return false;
  bool Repeats = Br->getSuccessor(0) == B;
  if (Repeats == (Br->getSuccessor(1) == B))
    return false;
  L.Exit = Br->getSuccessor(Repeats ? 1 : 0);
  CmpPredicate Predicate;
  Value *Done = Br->getCondition();
  if (match(Done, m_Not(m_Value(Done))))
    Repeats = !Repeats;
  if (match(Done, m_ExtractValue<1>(m_Specific(L.Swap))))
    return !Repeats;
  return match(Done,
               m_c_ICmp(Predicate, m_Specific(L.Old), m_Specific(L.Seen))) &&
         Predicate == (Repeats ? CmpInst::ICMP_NE : CmpInst::ICMP_EQ);
}

/// Additions of single precision in global memory would lose subnormal numbers.
bool mayFlush(const UpdatingLoop &L) {
  bool Adds = L.Op == AtomicRMWInst::FAdd || L.Op == AtomicRMWInst::FSub;
  return Adds && L.Operand->getType()->isFloatTy() &&
         !all_of(underlyingObjects(L.Swap->getPointerOperand()),
                 [](const Value *O) {
                   return O->getType()->getPointerAddressSpace() ==
                          nvptx::Shared;
                 });
}

/// LLVM does not know that functions of numbers have none.
bool hasEffect(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  return I.mayHaveSideEffects() && !(CB && classify(*CB) == CallClass::Rule);
}

std::optional<UpdatingLoop> matchUpdatingLoop(AtomicCmpXchgInst &Swap) {
  UpdatingLoop L;
  L.Swap = &Swap;
  L.Seen = dyn_cast<PHINode>(Swap.getCompareOperand());
  BasicBlock *B = Swap.getParent();
  if (!L.Seen || L.Seen->getParent() != B || !is_contained(successors(B), B))
    return std::nullopt;
  L.Old = dyn_cast<Instruction>(L.Seen->getIncomingValueForBlock(B));
  if (!L.Old || !match(L.Old, m_ExtractValue<0>(m_Specific(&Swap))))
    return std::nullopt;
  // Nothing else happens in the loop, and of it only what was seen is used.
  for (Instruction &I : *B) {
    bool Else = &I != &Swap && !I.isTerminator() && hasEffect(I);
    bool Leaves = any_of(I.users(), [&](User *U) {
      return cast<Instruction>(U)->getParent() != B;
    });
    if (Else || (Leaves && &I != L.Old && &I != L.Seen) ||
        (isa<PHINode>(I) && &I != L.Seen))
      return std::nullopt;
  }
  if (!matchUpdate(L) || !matchBranch(L))
    return std::nullopt;
  return L;
}

/// One update, once. What the loop saw last is the old value.
void rewriteLoop(UpdatingLoop &L) {
  BasicBlock *B = L.Swap->getParent();
  IRBuilder<> Build(L.Swap);
  AtomicRMWInst *Update = Build.CreateAtomicRMW(
      L.Op, L.Swap->getPointerOperand(), L.Operand, L.Swap->getAlign(),
      L.Swap->getSuccessOrdering(), L.Swap->getSyncScopeID());
  if (mayFlush(L))
    nvptx::markAsLoop(*Update);
  Value *Old = Update;
  if (!L.Old->use_empty() || !L.Seen->use_empty())
    Old = Build.CreateBitCast(Old, L.Old->getType());
  L.Old->replaceAllUsesWith(Old);
  L.Seen->removeIncomingValue(B, /*DeletePHIIfEmpty=*/false);
  L.Seen->replaceUsesWithIf(Old, [&](Use &U) {
    return cast<Instruction>(U.getUser())->getParent() != B;
  });
  Instruction *End = B->getTerminator();
  Value *Condition = cast<BranchInst>(End)->getCondition();
  IRBuilder<>(End).CreateBr(L.Exit);
  End->eraseFromParent();
  Value *New = cast<Instruction>(L.Swap->getNewValOperand())->getOperand(0);
  SmallVector<WeakTrackingVH, 3> Dead{Condition, L.Swap->getNewValOperand(),
                                      L.Seen};
  L.Swap->replaceAllUsesWith(PoisonValue::get(L.Swap->getType()));
  L.Swap->eraseFromParent();
  WeakTrackingVH Result(New);
  RecursivelyDeleteTriviallyDeadInstructionsPermissive(Dead);
  if (auto *Call = dyn_cast_or_null<CallInst>(Result)) {
    SmallVector<WeakTrackingVH, 2> Args(Call->args());
    Call->eraseFromParent();
    RecursivelyDeleteTriviallyDeadInstructionsPermissive(Args);
  }
}

} // namespace

bool kdiff::recogniseAtomics(Function &F) {
  bool Changed = false;
  SmallVector<AtomicCmpXchgInst *, 2> Swaps;
  for (Instruction &I : make_early_inc_range(instructions(F))) {
    if (auto *CI = dyn_cast<CallInst>(&I))
      Changed |= rewriteCall(*CI);
    else if (auto *Swap = dyn_cast<AtomicCmpXchgInst>(&I))
      Swaps.push_back(Swap);
  }
  for (AtomicCmpXchgInst *Swap : Swaps)
    if (auto L = matchUpdatingLoop(*Swap)) {
      rewriteLoop(*L);
      Changed = true;
    }
  return Changed;
}
