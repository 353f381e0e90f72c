//===- Caller.cpp - What is known where a gradient is asked for -----------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Caller.h.
//
//===----------------------------------------------------------------------===//

#include "shadow/Caller.h"
#include "target/NVPTX.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CFG.h"
#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace kdiff {

/// Whoever calls \p Call's function makes \p Call exactly once.
static bool isMadeOnce(const CallBase &Call) {
  // The trees take no const function, and change nothing.
  auto &F = const_cast<Function &>(*Call.getFunction());
  PostDominatorTree PDT(F);
  return PDT.dominates(Call.getParent(), &F.getEntryBlock()) &&
         !isPotentiallyReachable(Call.getNextNode(), &Call);
}

/// The only call of \p F that there is; null if that is not known.
static const CallBase *onlyCallOf(const Function &F) {
  bool IsOwn = F.hasLocalLinkage() || F.hasFnAttribute(Attribute::AlwaysInline);
  auto *Call =
      IsOwn && F.hasOneUse() ? dyn_cast<CallBase>(*F.user_begin()) : nullptr;
  return Call && Call->getCalledFunction() == &F ? Call : nullptr;
}

bool isMadeByWholeBlock(const CallBase &Request) {
  SmallPtrSet<const Function *, 8> Seen;
  const CallBase *Call = &Request;
  while (Call && Seen.insert(Call->getFunction()).second && isMadeOnce(*Call)) {
    if (nvptx::isKernel(*Call->getFunction()))
      return true;
    Call = onlyCallOf(*Call->getFunction());
  }
  return false;
}

/// True if \p I has no effect but on variables of the thread.
static bool isQuiet(const Instruction &I) {
  if (auto *Store = dyn_cast<StoreInst>(&I))
    return Store->isSimple() &&
           isa<AllocaInst>(Store->getPointerOperand()->stripPointerCasts());
  return !I.mayHaveSideEffects() || I.isDebugOrPseudoInst() ||
         I.isLifetimeStartOrEnd();
}

bool isAllOfKernel(const CallBase &Call) {
  return nvptx::isKernel(*Call.getFunction()) && Call.use_empty() &&
         all_of(instructions(*Call.getFunction()), [&](const Instruction &I) {
           return &I == &Call || isQuiet(I);
         });
}

/// The only value that is ever in the variable \p Pointer leads to, which is
/// written before \p Load; null if that is not known.
static const Value *onlyValueOf(const AllocaInst &Variable,
                                const LoadInst &Load) {
  const StoreInst *Only = nullptr;
  for (const User *U : Variable.users()) {
    if (auto *L = dyn_cast<LoadInst>(U); L && L->isSimple())
      continue;
    if (auto *II = dyn_cast<IntrinsicInst>(U); II && II->isLifetimeStartOrEnd())
      continue;
    auto *Store = dyn_cast<StoreInst>(U);
    if (!Store || Only || Store->getValueOperand() == &Variable ||
        Store->getValueOperand()->getType() != Load.getType())
      return nullptr;
    Only = Store;
  }
  // What is read before it is written is nothing that a program may use.
  return Only ? Only->getValueOperand() : nullptr;
}

/// True if nothing but loads of its members uses \p Parameter, a struct by
/// value.
static bool isOnlyLoaded(const Value *Parameter) {
  return all_of(Parameter->users(), [](const User *U) {
    if (isa<GEPOperator>(U) || isa<AddrSpaceCastOperator>(U))
      return isOnlyLoaded(U);
    return isa<LoadInst>(U) && cast<LoadInst>(U)->isSimple();
  });
}

bool isKernelParameter(const Value *V) {
  while (true) {
    if (isa<Constant>(V))
      return true;
    if (auto *A = dyn_cast<Argument>(V))
      return nvptx::isKernel(*A->getParent()) && !A->hasByValAttr();
    if (auto *Cast = dyn_cast<CastInst>(V)) {
      V = Cast->getOperand(0);
      continue;
    }
    if (auto *GEP = dyn_cast<GEPOperator>(V);
        GEP && GEP->hasAllConstantIndices()) {
      V = GEP->getPointerOperand();
      continue;
    }
    auto *Load = dyn_cast<LoadInst>(V);
    if (!Load || !Load->isSimple())
      return false;
    const Value *From = Load->getPointerOperand()->stripPointerCasts();
    if (auto *Variable = dyn_cast<AllocaInst>(From)) {
      V = onlyValueOf(*Variable, *Load);
      if (!V)
        return false;
      continue;
    }
    APInt Offset(Load->getDataLayout().getIndexTypeSizeInBits(
                     Load->getPointerOperandType()),
                 0);
    auto *A = dyn_cast<Argument>(
        Load->getPointerOperand()->stripAndAccumulateConstantOffsets(
            Load->getDataLayout(), Offset, /*AllowNonInbounds=*/true));
    return A && A->hasByValAttr() && nvptx::isKernel(*A->getParent()) &&
           isOnlyLoaded(A);
  }
}

} // namespace kdiff
