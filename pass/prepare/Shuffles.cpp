//===- Shuffles.cpp - 64-bit shuffles as one value ------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which pairs of 32-bit shuffles move the halves
// of one 64-bit value?
//
// CUDA's headers shuffle a double as two integers. Half a double has no
// derivative; the pair as one move has.
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "target/Sync.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace llvm::PatternMatch;
using namespace kdiff;

/// The value whose halves \p Low and \p High shuffle in the same way.
static Value *shuffledWhole(const CallInst &Low, const CallInst &High) {
  auto L = nvptx::shuffleOf(Low), H = nvptx::shuffleOf(High);
  if (!L || !H || L->Kind != H->Kind || Low.getParent() != High.getParent())
    return nullptr;
  for (unsigned Operand : {L->Mask, L->Lane, L->Clamp})
    if (Low.getArgOperand(Operand) != High.getArgOperand(Operand))
      return nullptr;
  Value *Whole;
  if (match(Low.getArgOperand(L->Value), m_Trunc(m_Value(Whole))) &&
      match(High.getArgOperand(H->Value),
            m_Trunc(m_LShr(m_Specific(Whole), m_SpecificInt(32)))))
    return Whole;
  return nullptr;
}

static bool join(Instruction &Or) {
  Value *LowV, *HighV;
  if (!match(&Or, m_c_Or(m_Shl(m_ZExt(m_Value(HighV)), m_SpecificInt(32)),
                         m_ZExt(m_Value(LowV)))))
    return false;
  auto *Low = dyn_cast<CallInst>(LowV), *High = dyn_cast<CallInst>(HighV);
  Value *Whole = Low && High ? shuffledWhole(*Low, *High) : nullptr;
  if (!Whole || !Whole->getType()->isIntegerTy(64))
    return false;
  nvptx::Shuffle S = *nvptx::shuffleOf(*Low);
  IRBuilder<> B(Low->comesBefore(High) ? High : Low);
  Or.replaceAllUsesWith(nvptx::createWideShuffle(
      B, S.Kind, Low->getArgOperand(S.Mask), Whole, Low->getArgOperand(S.Lane),
      Low->getArgOperand(S.Clamp)));
  return true;
}

bool kdiff::joinShuffles(Function &F) {
  SmallVector<Instruction *, 16> Ors;
  for (Instruction &I : instructions(F))
    if (I.getOpcode() == Instruction::Or && I.getType()->isIntegerTy(64))
      Ors.push_back(&I);
  bool Changed = false;
  for (Instruction *Or : Ors) {
    if (!join(*Or))
      continue;
    // The shuffles read no memory, but are not known to: erase them by hand.
    SmallVector<WeakTrackingVH, 2> Halves;
    for (Value *Part : Or->operands())
      for (Value *V = Part; auto *I = dyn_cast<Instruction>(V);
           V = I->getOperand(0)) {
        if (isa<CallInst>(I)) {
          Halves.push_back(I);
          break;
        }
      }
    RecursivelyDeleteTriviallyDeadInstructions(Or);
    for (WeakTrackingVH &Half : Halves)
      if (auto *I = cast_or_null<Instruction>(Half); I && I->use_empty())
        I->eraseFromParent();
    Changed = true;
  }
  return Changed;
}
