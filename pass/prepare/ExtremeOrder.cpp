//===- ExtremeOrder.cpp - In which order the contents of a word go --------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see ExtremeOrder.h.
//
//===----------------------------------------------------------------------===//

#include "prepare/ExtremeOrder.h"
#include "analysis/Memory.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace kdiff;

Value *kdiff::numberOf(const AtomicRMWInst &RMW) {
  auto *V = const_cast<Value *>(RMW.getValOperand());
  Value *Number = nullptr;
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

namespace {

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

} // namespace

std::optional<AtomicRMWInst::BinOp> kdiff::orderOf(const Function &F,
                                                   const Value *Object) {
  SmallVector<const AtomicRMWInst *, 4> All;
  for (const Instruction &I : instructions(F)) {
    if (!I.isAtomic() || !accessedPointer(I) ||
        !is_contained(underlyingObjects(accessedPointer(I)), Object))
      continue;
    All.push_back(dyn_cast<AtomicRMWInst>(&I));
    if (!All.back() || !numberOf(*All.back()))
      return std::nullopt;
  }
  if (All.empty())
    return std::nullopt;
  if (all_equal(map_range(
          All, [](const AtomicRMWInst *RMW) { return RMW->getOperation(); })))
    return All.front()->getOperation();
  for (bool Up : {true, false})
    if (all_of(All, [&](const AtomicRMWInst *RMW) {
          return isHalfOf(Up, RMW->getOperation(),
                          signFoundFor(numberOf(*RMW), *RMW->getParent()));
        }))
      return Up ? AtomicRMWInst::FMax : AtomicRMWInst::FMin;
  return std::nullopt;
}
