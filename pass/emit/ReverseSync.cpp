//===- ReverseSync.cpp - Mirrored barriers and shuffles -------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what do threads do in the reverse sweep where
// they waited for each other, or read each other's registers, in the primal?
//
//===----------------------------------------------------------------------===//

#include "emit/Reverse.h"
#include "plan/Needs.h"
#include "rules/Rules.h"
#include "target/Sync.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Instructions.h"
#include <algorithm>

using namespace llvm;

namespace kdiff {

void reverseBarrier(CallBase &CB, ReverseContext &C) {
  SmallVector<Value *, 3> Operands;
  for (unsigned K : mirroredOperands(CB))
    Operands.push_back(C.primal(CB.getArgOperand(K)));
  if (nvptx::mirrorOf(CB) == nvptx::Mirror::Barrier)
    nvptx::createPlainBarrier(C.B, CB, Operands);
  else
    C.B.CreateCall(CB.getFunctionType(), CB.getCalledOperand(), Operands);
}

/// \p Emit for each number of \p V: one, or a vector's elements.
static Value *byElement(IRBuilderBase &B, Value *V,
                        function_ref<Value *(Value *)> Emit) {
  auto *Vector = dyn_cast<FixedVectorType>(V->getType());
  if (!Vector)
    return Emit(V);
  Value *Result = PoisonValue::get(Vector);
  for (unsigned K = 0; K != Vector->getNumElements(); ++K)
    Result = B.CreateInsertElement(
        Result, Emit(B.CreateExtractElement(V, uint64_t(K))), uint64_t(K));
  return Result;
}

/// Each lane gets the sum of the adjoints of the lanes that read it. Numbers
/// narrower than float are summed as float.
void reverseShuffle(CallBase &CB, ReverseContext &C) {
  nvptx::Shuffle S = *nvptx::shuffleOf(CB);
  Value *Mask = C.primal(CB.getArgOperand(S.Mask));
  Value *Lane = C.primal(CB.getArgOperand(S.Lane));
  Value *Clamp = C.primal(CB.getArgOperand(S.Clamp));
  Value *Adjoint = C.Adj.take(C.B, &CB);
  C.Adj.add(C.B, CB.getArgOperand(S.Value),
            byElement(C.B, Adjoint, [&](Value *Number) {
              Type *T = Number->getType();
              bool IsNarrow = T->getScalarSizeInBits() < 32;
              if (IsNarrow)
                Number = C.B.CreateFPExt(Number, C.B.getFloatTy());
              Value *Sum = createShuffleBack(C.B, unsigned(S.Kind), Mask,
                                             Number, Lane, Clamp);
              return IsNarrow ? C.B.CreateFPTrunc(Sum, T) : Sum;
            }));
}

/// Each thread's part has the adjoint of the sum, wherever that is.
void reverseBlockSum(CallBase &CB, ReverseContext &C) {
  nvptx::BlockSum Sum = *nvptx::blockSumOf(CB);
  Value *Reader = C.primal(Sum.Reader);
  Value *Adjoint = C.Adj.take(C.B, &CB);
  C.Adj.add(C.B, Sum.Value, createBlockSumBack(C.B, Adjoint, Reader));
}

Waiting waitingInReverse(const ReverseContext &C) {
  Waiting Whom = C.Sh.shared().empty() ? Waiting::Nobody : Waiting::Block;
  for (auto &[From, Next] : C.Fl.steps())
    for (Instruction &I : *From) {
      auto *CB = dyn_cast<CallBase>(&I);
      CallClass Class = CB ? classify(*CB) : CallClass::Pure;
      if ((Class != CallClass::Barrier && Class != CallClass::Warp) ||
          !Flow::hasWork(I, C.A) || nvptx::isFence(*CB))
        continue;
      Whom = std::max(Whom,
                      nvptx::isWarpLevel(*CB) ? Waiting::Warp : Waiting::Block);
    }
  return Whom;
}

bool meetBeforeReverse(const ReverseContext &C) {
  return C.S.S != Shape::Request || C.S.SameBarriers;
}

/// All threads of the block zero the shadows in shared memory, behind a
/// barrier (an earlier gradient in the same launch may still read them) and
/// before one.
void clearSharedShadows(ReverseContext &C) {
  if (C.Sh.shared().empty())
    return;
  bool IsLate = meetBeforeReverse(C);
  IRBuilder<> Top(C.Sh.begin());
  IRBuilderBase &B = IsLate ? static_cast<IRBuilderBase &>(C.B) : Top;
  auto Here = [&](Value *V) { return IsLate ? C.primal(V) : V; };
  nvptx::createBlockBarrier(B);
  for (const SharedShadow &Shadow : C.Sh.shared())
    createSharedZero(B, Here(Shadow.Address), Here(Shadow.Bytes));
  nvptx::createBlockBarrier(B);
}

} // namespace kdiff
