//===- WarpSums.cpp - Sums over the lanes of a warp -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see WarpSums.h.
//
//===----------------------------------------------------------------------===//

#include "target/WarpSums.h"
#include "target/Sync.h"
#include "llvm/ADT/bit.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace kdiff::nvptx {

static Value *withoutCast(Value *V) {
  auto *Cast = dyn_cast<BitCastInst>(V);
  return Cast ? Cast->getOperand(0) : V;
}

bool isShuffleOfAll(const Instruction &I) {
  auto *CB = dyn_cast<CallBase>(&I);
  std::optional<Shuffle> S = CB ? shuffleOf(*CB) : std::nullopt;
  return S && match(CB->getArgOperand(S->Mask), m_AllOnes());
}

std::optional<Exchange> exchangeOf(Value *V) {
  auto *CB = dyn_cast<CallBase>(withoutCast(V));
  std::optional<Shuffle> S = CB ? shuffleOf(*CB) : std::nullopt;
  if (!S || S->Kind != ShuffleKind::Butterfly)
    return std::nullopt;
  Value *Of = withoutCast(CB->getArgOperand(S->Value));
  auto *Distance = dyn_cast<ConstantInt>(CB->getArgOperand(S->Lane));
  if (Of->getType() != V->getType() || !Distance ||
      Distance->getValue().uge(WarpSize) || !isShuffleOfAll(*CB) ||
      !match(CB->getArgOperand(S->Clamp), m_SpecificInt(WarpSize - 1)))
    return std::nullopt;
  return Exchange{Of, unsigned(Distance->getZExtValue())};
}

/// The exchange that \p Step adds to what it exchanges.
static std::optional<Exchange>
stepOf(Instruction &Step,
       function_ref<std::optional<Exchange>(Value *)> ExchangeOf,
       Value *&Exchanged) {
  if (Step.getOpcode() != Instruction::FAdd)
    return std::nullopt;
  for (unsigned K : {0, 1}) {
    Exchanged = Step.getOperand(1 - K);
    std::optional<Exchange> E = ExchangeOf(Exchanged);
    if (E && E->Of == Step.getOperand(K))
      return E;
  }
  return std::nullopt;
}

std::optional<WarpSum>
matchWarpSum(Instruction &Result,
             function_ref<std::optional<Exchange>(Value *)> ExchangeOf) {
  WarpSum Sum;
  Sum.Input = &Result;
  unsigned Seen = 0;
  while (Seen != WarpSize - 1) {
    auto *Step = dyn_cast<Instruction>(Sum.Input);
    Value *Exchanged = nullptr;
    std::optional<Exchange> E =
        Step ? stepOf(*Step, ExchangeOf, Exchanged) : std::nullopt;
    if (!E || !isPowerOf2_32(E->Distance) || (Seen & E->Distance) ||
        (Step != &Result && !Step->hasNUses(2)))
      return std::nullopt;
    Seen |= E->Distance;
    Sum.Distances.push_back(E->Distance);
    Sum.Steps.push_back(Step);
    // The exchange, and casts around it.
    for (Value *V = Exchanged; V != E->Of;
         V = isa<CallBase>(V) ? *find_if(cast<CallBase>(V)->args(),
                                         [&](Value *Arg) {
                                           return withoutCast(Arg) == E->Of;
                                         })
                              : cast<Instruction>(V)->getOperand(0)) {
      if (!V->hasOneUse() ||
          cast<Instruction>(V)->getParent() != Result.getParent())
        return std::nullopt;
      Sum.Steps.push_back(cast<Instruction>(V));
    }
    if (Step->getParent() != Result.getParent())
      return std::nullopt;
    Sum.Input = E->Of;
  }
  std::reverse(Sum.Distances.begin(), Sum.Distances.end());
  return Sum;
}

bool isBroadcast(const Instruction &I) {
  if (!isShuffleOfAll(I))
    return false;
  auto &CB = cast<CallBase>(I);
  Shuffle S = *shuffleOf(CB);
  return S.Kind == ShuffleKind::Index &&
         isa<ConstantInt>(CB.getArgOperand(S.Lane)) &&
         match(CB.getArgOperand(S.Clamp), m_SpecificInt(WarpSize - 1));
}

Value *createExchange(IRBuilderBase &B, Value *V, unsigned Distance) {
  Value *All = B.getInt32(~0u), *Clamp = B.getInt32(WarpSize - 1);
  if (V->getType()->isFloatTy())
    return B.CreateIntrinsic(Intrinsic::nvvm_shfl_sync_bfly_f32,
                             {All, V, B.getInt32(Distance), Clamp});
  Value *Bits = createWideShuffle(B, ShuffleKind::Butterfly, All,
                                  B.CreateBitCast(V, B.getInt64Ty()),
                                  B.getInt32(Distance), Clamp);
  return B.CreateBitCast(Bits, V->getType());
}

Value *createBroadcast(IRBuilderBase &B, Value *V, unsigned Lane) {
  Value *All = B.getInt32(~0u), *Clamp = B.getInt32(WarpSize - 1);
  Type *T = V->getType();
  if (T->isFloatTy() || T->isIntegerTy(32))
    return B.CreateIntrinsic(T->isFloatTy() ? Intrinsic::nvvm_shfl_sync_idx_f32
                                            : Intrinsic::nvvm_shfl_sync_idx_i32,
                             {All, V, B.getInt32(Lane), Clamp});
  Value *Bits = createWideShuffle(B, ShuffleKind::Index, All,
                                  B.CreateBitCast(V, B.getInt64Ty()),
                                  B.getInt32(Lane), Clamp);
  return B.CreateBitCast(Bits, T);
}

} // namespace kdiff::nvptx
