//===- Quotients.cpp - Quotients that share a reciprocal --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do several numbers over one divisor cost one
// division, and stay right where its reciprocal overflows or is subnormal?
//
// One test decides for all that wait for nothing in between. The divisions
// behind it are for the rare case.
//
//===----------------------------------------------------------------------===//

#include "lower/Abstract.h"
#include "lower/Steps.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include <cmath>

using namespace llvm;
using namespace kdiff;

/// Calls of one block and reciprocal; they take the place of the last.
using Group = SmallVector<CallInst *, 2>;

static bool isQuotient(const Instruction &I) {
  auto *Call = dyn_cast<CallInst>(&I);
  return Call && Call->getCalledFunction() &&
         abstractOp(*Call->getCalledFunction()) == AbstractOp::Quotient;
}

/// True if nobody asks for a quotient of \p G before \p Next.
static bool canWait(const Group &G, const CallInst &Next) {
  return all_of(G, [&](const CallInst *Call) {
    return none_of(Call->users(), [&](const User *U) {
      auto *I = cast<Instruction>(U);
      return I == &Next || (I->getParent() == Next.getParent() &&
                            !isa<PHINode>(I) && I->comesBefore(&Next));
    });
  });
}

static SmallVector<Group, 4> groupsOf(Function &F) {
  SmallVector<Group, 4> Groups;
  for (BasicBlock &B : F) {
    DenseMap<const Value *, unsigned> Open;
    for (Instruction &I : B) {
      if (!isQuotient(I))
        continue;
      auto &Call = cast<CallInst>(I);
      auto [It, New] = Open.try_emplace(Call.getArgOperand(2), Groups.size());
      if (!New && canWait(Groups[It->second], Call)) {
        Groups[It->second].push_back(&Call);
        continue;
      }
      It->second = Groups.size();
      Groups.push_back({&Call});
    }
  }
  return Groups;
}

static Constant *powerOfTwo(Type *T, int Exponent) {
  return ConstantFP::get(T, std::ldexp(1.0, Exponent));
}

static void lowerGroup(const Group &G) {
  CallInst *Last = G.back();
  Value *Reciprocal = Last->getArgOperand(2);
  Type *T = Reciprocal->getType();
  IRBuilder<> B(Last);
  // Not the very limits: LLVM would look at the bits for these, which takes
  // more than two comparisons.
  Value *Size = B.CreateUnaryIntrinsic(Intrinsic::fabs, Reciprocal);
  int Most = T->isDoubleTy() ? 1020 : 124;
  Value *IsNormal = B.CreateAnd(B.CreateFCmpOGE(Size, powerOfTwo(T, -Most)),
                                B.CreateFCmpOLE(Size, powerOfTwo(T, Most)));
  SmallVector<Value *, 2> Products;
  for (CallInst *Call : G) {
    FastMathFlags Flags = Call->getFastMathFlags();
    Value *Product = B.CreateFMulFMF(Call->getArgOperand(0), Reciprocal, Flags);
    Products.push_back(Product);
  }
  BasicBlock *Before = Last->getParent();
  Instruction *Rare = SplitBlockAndInsertIfThen(
      B.CreateNot(IsNormal), Last->getIterator(), /*Unreachable=*/false,
      MDBuilder(B.getContext()).createUnlikelyBranchWeights());
  for (auto [Call, Product] : zip_equal(G, Products)) {
    B.SetInsertPoint(Rare);
    Value *Divided =
        B.CreateFDiv(Call->getArgOperand(0), Call->getArgOperand(1));
    B.SetInsertPoint(Last->getParent(), Last->getParent()->begin());
    PHINode *Quotient = B.CreatePHI(T, 2);
    Quotient->addIncoming(Product, Before);
    Quotient->addIncoming(Divided, Rare->getParent());
    Quotient->takeName(Call);
    Call->replaceAllUsesWith(Quotient);
  }
  for (CallInst *Call : G)
    Call->eraseFromParent();
}

void kdiff::lowerQuotients(Function &F) {
  for (const Group &G : groupsOf(F))
    lowerGroup(G);
}
