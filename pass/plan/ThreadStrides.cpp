//===- ThreadStrides.cpp - Addresses as multiples of an index -------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see ThreadStrides.h.
//
//===----------------------------------------------------------------------===//

#include "plan/ThreadStrides.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace kdiff {

Intrinsic::ID indexAlong(bool Y) {
  return Y ? Intrinsic::nvvm_read_ptx_sreg_tid_y
           : Intrinsic::nvvm_read_ptx_sreg_tid_x;
}

bool isRegister(const Value *V, Intrinsic::ID Register) {
  auto *Call = dyn_cast<IntrinsicInst>(V);
  return Call && Call->getIntrinsicID() == Register;
}

bool isRegister(const SCEV *E, Intrinsic::ID Register) {
  auto *Unknown = dyn_cast<SCEVUnknown>(E);
  return Unknown && isRegister(Unknown->getValue(), Register);
}

std::optional<Linear> linearIn(const SCEV *E, Intrinsic::ID Index,
                               ScalarEvolution &SE) {
  auto IsIndex = [&](const SCEV *Part) { return isRegister(Part, Index); };
  if (IsIndex(E))
    return Linear{1, 64};
  if (!SCEVExprContains(E, IsIndex)) {
    if (!E->getType()->isPointerTy())
      return Linear{0, SE.getMinTrailingZeros(E)};
    if (isa<SCEVUnknown>(E))
      return Linear{0, 64};
  }
  if (auto *Sum = dyn_cast<SCEVAddExpr>(E)) {
    Linear Result;
    for (const SCEV *Operand : Sum->operands()) {
      std::optional<Linear> Part = linearIn(Operand, Index, SE);
      if (!Part)
        return std::nullopt;
      Result.Stride += Part->Stride;
      Result.Zeros = std::min(Result.Zeros, Part->Zeros);
    }
    return Result;
  }
  if (auto *Product = dyn_cast<SCEVMulExpr>(E)) {
    auto *Scale = dyn_cast<SCEVConstant>(Product->getOperand(0));
    if (!Scale || Product->getNumOperands() != 2 ||
        !Scale->getAPInt().isSignedIntN(31))
      return std::nullopt;
    std::optional<Linear> Part = linearIn(Product->getOperand(1), Index, SE);
    if (Part) {
      Part->Stride *= Scale->getAPInt().getSExtValue();
      Part->Zeros =
          std::min(64u, Part->Zeros + Scale->getAPInt().countr_zero());
    }
    return Part;
  }
  // Wider than what is extended, the same number if that does not wrap around.
  auto *Wide = dyn_cast<SCEVIntegralCastExpr>(E);
  if (!Wide || isa<SCEVTruncateExpr>(Wide))
    return std::nullopt;
  const SCEV *Narrow = Wide->getOperand();
  auto Flag = isa<SCEVZeroExtendExpr>(Wide) ? SCEV::FlagNUW : SCEV::FlagNSW;
  auto *Nary = dyn_cast<SCEVNAryExpr>(Narrow);
  bool IsExact =
      IsIndex(Narrow) ||
      (Nary && !isa<SCEVAddRecExpr>(Nary) && Nary->getNoWrapFlags(Flag) &&
       all_of(Nary->operands(), [&](const SCEV *Part) {
         return IsIndex(Part) || !SCEVExprContains(Part, IsIndex);
       }));
  return IsExact ? linearIn(Narrow, Index, SE) : std::nullopt;
}

} // namespace kdiff
