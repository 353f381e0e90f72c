//===- CopyLoop.cpp - The adjoint of a block copy -------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see CopyLoop.h.
//
//===----------------------------------------------------------------------===//

#include "emit/CopyLoop.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

void emitAdjointCopy(IRBuilderBase &B, Type *Scalar, Value *To, Value *From,
                     Value *Length, Accumulation Kind, bool MayOverlap,
                     bool IsSeed) {
  BasicBlock *Before = B.GetInsertBlock();
  Function *F = Before->getParent();
  LLVMContext &Ctx = F->getContext();
  BasicBlock *Loop = BasicBlock::Create(Ctx, "rev.copy", F);
  BasicBlock *After = BasicBlock::Create(Ctx, "rev.copied", F);
  Type *I64 = B.getInt64Ty();
  Align Alignment(F->getDataLayout().getTypeStoreSize(Scalar));
  Value *Count = B.CreateUDiv(
      B.CreateZExtOrTrunc(Length, I64),
      ConstantInt::get(I64, F->getDataLayout().getTypeStoreSize(Scalar)));
  // Copying upwards (target above source) is right from the last word down;
  // its reverse starts at the first.
  Value *Ascending = B.getTrue();
  if (MayOverlap)
    Ascending = B.CreateICmpUGT(B.CreatePtrToInt(To, I64),
                                B.CreatePtrToInt(From, I64));
  B.CreateCondBr(B.CreateIsNull(Count), After, Loop);

  B.SetInsertPoint(Loop);
  PHINode *Step = B.CreatePHI(I64, 2);
  Step->addIncoming(ConstantInt::get(I64, 0), Before);
  Value *Down = B.CreateSub(B.CreateSub(Count, ConstantInt::get(I64, 1)), Step);
  Value *Index = B.CreateSelect(Ascending, Step, Down);
  Value *ToWord = B.CreateGEP(Scalar, To, Index);
  Value *FromWord = B.CreateGEP(Scalar, From, Index);
  Value *Adjoint = B.CreateAlignedLoad(Scalar, ToWord, Alignment);
  if (!IsSeed)
    B.CreateAlignedStore(Constant::getNullValue(Scalar), ToWord, Alignment);
  createAccumulate(B, FromWord, Adjoint, Kind);
  Value *Next = B.CreateAdd(Step, ConstantInt::get(I64, 1));
  Step->addIncoming(Next, B.GetInsertBlock());
  B.CreateCondBr(B.CreateICmpULT(Next, Count), Loop, After);

  B.SetInsertPoint(After);
}

} // namespace kdiff
