//===- BlockLoop.cpp - A block does the work of others --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see BlockLoop.h.
//
//===----------------------------------------------------------------------===//

#include "emit/BlockLoop.h"
#include "lower/Abstract.h"
#include "target/NVPTX.h"
#include "target/Sync.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

using namespace llvm;

namespace kdiff {

/// Threads that a multiprocessor holds at most (CUDA programming guide,
/// "Compute Capabilities"; 1536 or 1024 on some). More blocks than are resident
/// only wait.
static constexpr unsigned ThreadsOfProcessor = 2048;
/// Blocks for each that stays; with fewer, the last ones would keep most of the
/// card waiting.
static constexpr unsigned FewestRounds = 4;

/// True if \p I touches shared memory, or is a sum that will.
static bool usesShared(const Instruction &I) {
  if (auto *CB = dyn_cast<CallBase>(&I);
      CB && CB->getCalledFunction() &&
      abstractOp(*CB->getCalledFunction()) == AbstractOp::AccumulateAll)
    return true;
  return any_of(I.operands(), [](const Use &Operand) {
    return Operand->getType()->isPointerTy() &&
           getUnderlyingObject(Operand, /*MaxLookup=*/0)
                   ->getType()
                   ->getPointerAddressSpace() == nvptx::Shared;
  });
}

static Value *readRegister(IRBuilderBase &B, Intrinsic::ID Register) {
  return B.CreateIntrinsic(Register, {});
}

/// How many blocks of each row along x stay.
static Value *countStaying(IRBuilderBase &B, Value *BlocksInX) {
  Value *Threads = B.CreateMul(
      readRegister(B, Intrinsic::nvvm_read_ptx_sreg_ntid_x),
      B.CreateMul(readRegister(B, Intrinsic::nvvm_read_ptx_sreg_ntid_y),
                  readRegister(B, Intrinsic::nvvm_read_ptx_sreg_ntid_z)));
  Value *Rows =
      B.CreateMul(readRegister(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_y),
                  readRegister(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_z));
  Value *Resident =
      B.CreateMul(readRegister(B, Intrinsic::nvvm_read_ptx_sreg_nsmid),
                  B.CreateUDiv(B.getInt32(ThreadsOfProcessor), Threads));
  Value *Share = B.CreateBinaryIntrinsic(
      Intrinsic::umax, B.CreateUDiv(Resident, Rows), B.getInt32(1));
  Value *IsFew =
      B.CreateICmpULT(B.CreateUDiv(BlocksInX, B.getInt32(FewestRounds)), Share);
  return B.CreateSelect(IsFew, BlocksInX, Share, "staying");
}

/// Has everything but variables out of the entry block, which stays in front of
/// the loop.
static BasicBlock *splitEntry(Function &F) {
  BasicBlock &Entry = F.getEntryBlock();
  for (Instruction &I : make_early_inc_range(Entry))
    if (isa<AllocaInst>(I))
      I.moveBefore(Entry.begin());
  return Entry.splitBasicBlock(Entry.getFirstNonPHIOrDbgOrAlloca(), "block");
}

Instruction *emitBlockLoop(BasicBlock &Latch, BasicBlock &Behind) {
  Function &F = *Latch.getParent();
  SmallVector<IntrinsicInst *, 4> Indices;
  for (Instruction &I : instructions(F))
    if (auto *II = dyn_cast<IntrinsicInst>(&I);
        II && II->getIntrinsicID() == Intrinsic::nvvm_read_ptx_sreg_ctaid_x)
      Indices.push_back(II);
  BasicBlock *Body = splitEntry(F);
  BasicBlock *Leave = BasicBlock::Create(F.getContext(), "block.none", &F);
  ReturnInst::Create(F.getContext(), Leave);

  BasicBlock &Entry = F.getEntryBlock();
  Entry.getTerminator()->eraseFromParent();
  IRBuilder<> B(&Entry);
  Value *First = readRegister(B, Intrinsic::nvvm_read_ptx_sreg_ctaid_x);
  Value *Count = readRegister(B, Intrinsic::nvvm_read_ptx_sreg_nctaid_x);
  Value *Staying = countStaying(B, Count);
  Instruction *Front =
      B.CreateCondBr(B.CreateICmpULT(First, Staying), Body, Leave);

  B.SetInsertPoint(Body, Body->begin());
  PHINode *Index = B.CreatePHI(B.getInt32Ty(), 2, "block.index");
  for (IntrinsicInst *II : Indices) {
    II->replaceAllUsesWith(Index);
    II->eraseFromParent();
  }
  B.SetInsertPoint(&Latch);
  bool Shares = any_of(F, [&](const BasicBlock &BB) {
    return &BB != &Behind && any_of(BB, usesShared);
  });
  if (Shares) // Nobody overtakes who still reads what the last block left.
    nvptx::createBlockBarrier(B);
  Value *Next = B.CreateNUWAdd(Index, Staying, "block.next");
  B.CreateCondBr(B.CreateICmpULT(Next, Count), Body, &Behind);
  Index->addIncoming(First, &Entry);
  Index->addIncoming(Next, &Latch);
  return Front;
}

} // namespace kdiff
