//===- Halving.cpp - Halved and doubled counters ----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Halving.h.
//
// Shifting by c bits k times is shifting by k * c bits. A signed division by a
// power of two rounds towards zero, and so does the division by the product of
// several: |x| is shifted.
//
//===----------------------------------------------------------------------===//

#include "prepare/Halving.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace kdiff;

namespace {

enum class Way { Left, Right, SignedRight, Quotient };

/// What each iteration does: shifts by Bits.
struct Shift {
  Way How;
  unsigned Bits;
};

} // namespace

static std::optional<Shift> shiftOf(PHINode &P, Value *Next) {
  const APInt *C;
  auto Same = m_Specific(&P);
  unsigned Width = P.getType()->getIntegerBitWidth();
  auto By = [&](Way How, uint64_t Bits) -> std::optional<Shift> {
    return Bits && Bits < Width ? std::optional(Shift{How, unsigned(Bits)})
                                : std::nullopt;
  };
  if (match(Next, m_Shl(Same, m_APInt(C))))
    return By(Way::Left, C->getLimitedValue(Width));
  if (match(Next, m_LShr(Same, m_APInt(C))))
    return By(Way::Right, C->getLimitedValue(Width));
  if (match(Next, m_AShr(Same, m_APInt(C))))
    return By(Way::SignedRight, C->getLimitedValue(Width));
  if (match(Next, m_c_Mul(Same, m_APInt(C))) && C->isPowerOf2())
    return By(Way::Left, C->logBase2());
  if (match(Next, m_UDiv(Same, m_APInt(C))) && C->isPowerOf2())
    return By(Way::Right, C->logBase2());
  if (match(Next, m_SDiv(Same, m_APInt(C))) && C->isStrictlyPositive() &&
      C->isPowerOf2())
    return By(Way::Quotient, C->logBase2());
  return std::nullopt;
}

Value *kdiff::shiftedByCount(IRBuilderBase &B, PHINode &P,
                             const LoopShape &Shape) {
  if (!P.getType()->isIntegerTy() || P.getNumIncomingValues() != 2)
    return nullptr;
  std::optional<Shift> S = shiftOf(P, P.getIncomingValueForBlock(Shape.Latch));
  if (!S)
    return nullptr;
  Type *T = P.getType();
  unsigned Width = T->getIntegerBitWidth();
  Type *Count = Shape.Counter->getType();
  // At most Width, whatever the count.
  Constant *All = ConstantInt::get(Count, Width);
  Value *Bits =
      B.CreateMul(B.CreateBinaryIntrinsic(Intrinsic::umin, Shape.Counter, All),
                  ConstantInt::get(Count, S->Bits));
  Value *Gone = B.CreateICmpUGE(Bits, All);
  Constant *Most = ConstantInt::get(Count, Width - 1);
  Value *By = B.CreateZExtOrTrunc(
      B.CreateBinaryIntrinsic(Intrinsic::umin, Bits, Most), T);
  Value *Start = P.getIncomingValueForBlock(Shape.Preheader);
  Constant *Zero = ConstantInt::get(T, 0);
  switch (S->How) {
  case Way::Left:
    return B.CreateSelect(Gone, Zero, B.CreateShl(Start, By));
  case Way::Right:
    return B.CreateSelect(Gone, Zero, B.CreateLShr(Start, By));
  case Way::SignedRight:
    return B.CreateAShr(Start, By);
  case Way::Quotient:
    break;
  }
  Value *Below = B.CreateNot(B.CreateShl(ConstantInt::getAllOnesValue(T), By));
  Value *Sign = B.CreateAShr(Start, ConstantInt::get(T, Width - 1));
  Value *Rounded = B.CreateAdd(Start, B.CreateAnd(Sign, Below));
  return B.CreateSelect(Gone, Zero, B.CreateAShr(Rounded, By));
}
