//===- Quotients.cpp - Quotients that are computed again ------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Quotients.h.
//
//===----------------------------------------------------------------------===//

#include "plan/Quotients.h"
#include "support/Diagnostics.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"

using namespace llvm;

namespace kdiff {

/// A division by the primal's rules that is computed again in the reverse
/// sweep, where its own derivative takes the reciprocal.
static bool isCandidate(const Value *V, const Decision &D, const Activity &A) {
  auto *I = dyn_cast<Instruction>(V);
  return I && I->getOpcode() == Instruction::FDiv &&
         D.From == Source::Recompute && !D.Exact && A.isActive(I) &&
         (I->getType()->isFloatTy() || I->getType()->isDoubleTy()) &&
         !I->hasAllowReciprocal() && !I->hasApproxFunc() &&
         !I->getMetadata(LLVMContext::MD_fpmath);
}

/// True if \p I is as smooth as a sum.
static bool isArithmetic(const Instruction &I) {
  switch (I.getOpcode()) {
  case Instruction::FNeg:
  case Instruction::FAdd:
  case Instruction::FSub:
  case Instruction::FMul:
  case Instruction::FDiv:
  case Instruction::FPExt:
  case Instruction::FPTrunc:
  case Instruction::Select:
    return true;
  default:
    break;
  }
  auto *Call = dyn_cast<IntrinsicInst>(&I);
  return Call && (Call->getIntrinsicID() == Intrinsic::fma ||
                  Call->getIntrinsicID() == Intrinsic::fmuladd);
}

/// True if the reverse of \p I, which is not repeated, does not read the
/// number.
static bool isMove(const Instruction &I) {
  auto *RMW = dyn_cast<AtomicRMWInst>(&I);
  return isa<PHINode, StoreInst>(I) ||
         (RMW && (RMW->getOperation() == AtomicRMWInst::FAdd ||
                  RMW->getOperation() == AtomicRMWInst::FSub));
}

using Stores = SmallPtrSet<const Instruction *, 8>;

/// What fills tiles again: other threads read it.
static Stores refills(const Plan &P) {
  Stores Result;
  for (auto &[End, Filled] : P.Refills)
    for (const FillStore &Fill : Filled.Stores)
      Result.insert(Fill.Store);
  return Result;
}

/// True if what the reverse sweep computes from \p Quotient is arithmetic
/// alone: what it repeats, and the partials of what it reverses.
static bool decidesNothing(const Instruction &Quotient, const Plan &P,
                           const Activity &A, const Stores &Refills) {
  SmallVector<const Instruction *, 8> Work{&Quotient};
  SmallPtrSet<const Instruction *, 16> Seen;
  while (!Work.empty()) {
    const Instruction *Now = Work.pop_back_val();
    if (!Seen.insert(Now).second)
      continue;
    for (const User *U : Now->users()) {
      auto *I = cast<Instruction>(U);
      bool Repeats = P.sourceOf(I) == Source::Recompute;
      // A phi of a loop has what the forward sweep found, or what is divided
      // when the loop is run again.
      bool Passes = isArithmetic(*I) || (Repeats && isa<PHINode>(I)) ||
                    (!Repeats && isMove(*I)) || (!Repeats && !A.isActive(I));
      if (!Passes || Refills.contains(I))
        return false;
      if (Repeats)
        Work.push_back(I);
    }
  }
  return true;
}

void shareReciprocals(Plan &P, const Activity &A) {
  MapVector<const Value *, SmallVector<Decision *, 2>> ByDivisor;
  DenseMap<const Decision *, const Instruction *> Of;
  Stores Refills = refills(P);
  for (auto &[V, D] : P.Values)
    if (isCandidate(V, D, A) &&
        decidesNothing(cast<Instruction>(*V), P, A, Refills)) {
      auto *I = cast<Instruction>(V);
      ByDivisor[I->getOperand(1)].push_back(&D);
      Of[&D] = I;
    }
  for (auto &[Divisor, Quotients] : ByDivisor) {
    // In single precision one division costs no more than the test.
    if (Quotients.size() == 1 && Divisor->getType()->isFloatTy())
      continue;
    for (Decision *D : Quotients) {
      D->ByReciprocal = true;
      remark("Reciprocal", *Of.lookup(D),
             "computed again as a product with the reciprocal that its "
             "derivative takes, where that is a normal number");
    }
  }
}

} // namespace kdiff
