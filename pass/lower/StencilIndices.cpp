//===- StencilIndices.cpp - Equal indices are computed once
//----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which indices are the same as one that is known,
// though they are computed in another way?
//
// What a neighbour reads is at (y + 1) * width + x, what the thread reads at
// y * width + x + width. LLVM multiplies nothing out.
//
//===----------------------------------------------------------------------===//

#include "lower/Stencils.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include <map>

using namespace llvm;
using namespace kdiff;

void kdiff::dropPromises(Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || !isa<BinaryOperator, CastInst, GetElementPtrInst>(I))
    return;
  I->dropPoisonGeneratingFlags();
  for (Value *Operand : I->operands())
    dropPromises(Operand);
}

static bool isOfIndex(const Polynomial &P) {
  return any_of(P.Terms, [](auto &Term) {
    return any_of(Term.first, [](unsigned U) { return U < Dimensions; });
  });
}

static bool isIndexArithmetic(const Instruction &I) {
  unsigned Code = I.getOpcode();
  return I.getType()->isIntegerTy() &&
         I.getType()->getIntegerBitWidth() <= 64 &&
         (Code == Instruction::Add || Code == Instruction::Sub ||
          Code == Instruction::Mul || Code == Instruction::Shl);
}

/// True if \p V is never undefined, whatever polynomial hides of it: it is
/// arithmetic of arguments and the launch's index.
static bool isDefined(const Value *V) {
  auto *I = dyn_cast<Instruction>(V);
  if (!I || launchIndex(I))
    return !isa<UndefValue>(V);
  return (isIndexArithmetic(*I) || isa<SExtInst, ZExtInst>(I) ||
          (I->isIntDivRem() && !I->hasPoisonGeneratingFlags())) &&
         all_of(I->operands(), isDefined);
}

void kdiff::mergeIndices(Function &F, FunctionAnalysisManager &FAM) {
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  Unknowns Names(Unknowns::Trust::Exact);
  std::map<Polynomial, SmallVector<Instruction *, 4>> Known;
  for (BasicBlock *B : ReversePostOrderTraversal<Function *>(&F))
    for (Instruction &I : make_early_inc_range(*B)) {
      if (!isIndexArithmetic(I) || launchIndex(&I))
        continue;
      Polynomial P = Names.of(&I);
      if (!isOfIndex(P) || !isDefined(&I))
        continue;
      auto &Same = Known[P];
      auto Before = find_if(
          Same, [&](Instruction *Other) { return DT.dominates(Other, &I); });
      if (Before == Same.end()) {
        Same.push_back(&I);
        continue;
      }
      dropPromises(*Before);
      I.replaceAllUsesWith(*Before);
    }
}
