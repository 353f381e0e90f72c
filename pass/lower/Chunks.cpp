//===- Chunks.cpp - Several iterations add together -----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the additions of several iterations of a
// loop become one operation?
//
// The loop is unrolled, with a loop for the iterations that are left over. In
// the copies the additions are in a row; the last one makes them all.
//
//===----------------------------------------------------------------------===//

#include "lower/Abstract.h"
#include "lower/Steps.h"
#include "lower/Unroll.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/LoopUtils.h"

using namespace llvm;
using namespace kdiff;

/// Tells the copies of an addition: !{i32 number}.
static constexpr StringLiteral Mark = "kdiff.copy.of";

static bool isChunk(const Instruction &I) {
  auto *CI = dyn_cast<CallInst>(&I);
  const Function *Callee = CI ? CI->getCalledFunction() : nullptr;
  return Callee && abstractOp(*Callee) == AbstractOp::AccumulateChunk;
}

static unsigned chunkOf(const Loop &L) {
  return getOptionalIntLoopAttribute(&L, ChunkAttribute).value_or(0);
}

/// The words that \p Calls, copies of one addition in the order of iterations,
/// add to, from the addresses of the last one.
static SmallVector<WordSum, 32> wordsOf(ArrayRef<CallInst *> Calls) {
  SmallVector<WordSum, 32> Words;
  const CallInst &Last = *Calls.back();
  IRBuilder<> B(Calls.back());
  for (auto [Ahead, Call] : enumerate(reverse(Calls)))
    for (unsigned K = 1; K != Last.arg_size(); K += 3) {
      int64_t Step =
          cast<ConstantInt>(Last.getArgOperand(K + 2))->getSExtValue();
      Value *Address = Last.getArgOperand(K);
      if (int64_t Distance = int64_t(Ahead) * Step)
        Address = B.CreatePtrAdd(
            Address, ConstantInt::getSigned(B.getInt64Ty(), Distance));
      Words.push_back({Address, Call->getArgOperand(K + 1)});
    }
  return Words;
}

/// One addition in place of \p Calls, where the last of them is.
static void merge(ArrayRef<CallInst *> Calls) {
  auto Kind = Accumulation(
      cast<ConstantInt>(Calls.back()->getArgOperand(0))->getZExtValue());
  SmallVector<WordSum, 32> Words = wordsOf(Calls);
  IRBuilder<> B(Calls.back());
  createAccumulateAll(B, Words, Kind);
  for (CallInst *Call : Calls)
    Call->eraseFromParent();
}

/// The copies in \p L of its additions, in the order in which they are made.
static SmallVector<SmallVector<CallInst *, 8>, 2> copiesIn(const Loop &L,
                                                           Function &F) {
  MapVector<const MDNode *, SmallVector<CallInst *, 8>> Copies;
  for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&F))
    if (L.contains(B))
      for (Instruction &I : *B)
        if (isChunk(I))
          Copies[I.getMetadata(Mark)].push_back(cast<CallInst>(&I));
  SmallVector<SmallVector<CallInst *, 8>, 2> Result;
  for (auto &[Number, Calls] : Copies)
    Result.push_back(std::move(Calls));
  return Result;
}

/// All the copies are made, one after the other, in every iteration.
static bool areInRow(ArrayRef<CallInst *> Calls, const DominatorTree &DT,
                     const Loop &L) {
  for (unsigned K = 1; K < Calls.size(); ++K)
    if (!DT.dominates(Calls[K - 1], Calls[K]))
      return false;
  return endsAtLatch(L) &&
         DT.dominates(Calls.back()->getParent(), L.getLoopLatch());
}

static void unroll(Loop &L, Function &F, FunctionAnalysisManager &FAM) {
  unsigned Count = chunkOf(L);
  if (!unrollWithRest(L, Count, F, FAM))
    return;
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  for (auto &Calls : copiesIn(L, F))
    if (Calls.size() == Count && areInRow(Calls, DT, L))
      merge(Calls);
}

void kdiff::lowerChunks(Function &F, FunctionAnalysisManager &FAM) {
  LLVMContext &C = F.getContext();
  unsigned Number = 0;
  for (Instruction &I : instructions(F))
    if (isChunk(I))
      I.setMetadata(Mark,
                    MDNode::get(C, ConstantAsMetadata::get(ConstantInt::get(
                                       Type::getInt32Ty(C), Number++))));
  if (Number == 0)
    return;
  endLoopsAtLatches(F, FAM, chunkOf);
  for (Loop *L : FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder())
    if (chunkOf(*L))
      unroll(*L, F, FAM);
  for (Instruction &I : make_early_inc_range(instructions(F)))
    if (isChunk(I))
      merge(cast<CallInst>(&I));
  FAM.invalidate(F, PreservedAnalyses::none());
}
