//===- Shuffles.cpp - 64-bit shuffles as one value ------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which pairs of 32-bit shuffles move the halves
// of one 64-bit value?
//
// CUDA's headers shuffle a double as two integers. Half a double has no
// derivative; the pair as one move has. How the halves are taken and put
// together does not matter: their bits are followed. (Cooperative groups put
// the shuffled halves back in place, one after the other.)
//
//===----------------------------------------------------------------------===//

#include "prepare/BitTrace.h"
#include "prepare/Steps.h"
#include "target/Sync.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;
using namespace kdiff;

namespace {

struct Halves {
  CallInst *Low, *High;
  Value *Whole; ///< The 64 bits that both shuffle.
};

/// The 32-bit shuffle that gives \p Bits.
CallInst *shuffleOfBits(ArrayRef<Bit> Bits) {
  auto *CI = isRun(Bits) ? dyn_cast<CallInst>(Bits[0].Source) : nullptr;
  return CI && Bits[0].Position == 0 && nvptx::shuffleOf(*CI) ? CI : nullptr;
}

/// The shuffles that give the halves of \p V, and of which value.
std::optional<Halves> matchHalves(Value &V, BitTracer &Tracer) {
  const BitList Bits = Tracer.of(&V);
  if (Bits.size() != 64)
    return std::nullopt;
  CallInst *Low = shuffleOfBits(ArrayRef(Bits).take_front(32));
  CallInst *High = shuffleOfBits(ArrayRef(Bits).drop_front(32));
  if (!Low || !High || Low->getParent() != High->getParent())
    return std::nullopt;
  nvptx::Shuffle L = *nvptx::shuffleOf(*Low), H = *nvptx::shuffleOf(*High);
  if (L.Kind != H.Kind)
    return std::nullopt;
  for (unsigned Operand : {L.Mask, L.Lane, L.Clamp})
    if (Low->getArgOperand(Operand) != High->getArgOperand(Operand))
      return std::nullopt;
  BitList Given = Tracer.of(Low->getArgOperand(L.Value));
  append_range(Given, Tracer.of(High->getArgOperand(H.Value)));
  if (Given.size() != 64 || !isRun(Given) || Given[0].Position != 0 ||
      Given[0].Source->getType()->getPrimitiveSizeInBits() != 64)
    return std::nullopt;
  return Halves{Low, High, Given[0].Source};
}

void join(Instruction &Or, const Halves &H) {
  nvptx::Shuffle S = *nvptx::shuffleOf(*H.Low);
  IRBuilder<> B(H.Low->comesBefore(H.High) ? H.High : H.Low);
  Or.replaceAllUsesWith(nvptx::createWideShuffle(
      B, S.Kind, H.Low->getArgOperand(S.Mask),
      B.CreateBitCast(H.Whole, B.getInt64Ty()), H.Low->getArgOperand(S.Lane),
      H.Low->getArgOperand(S.Clamp)));
  RecursivelyDeleteTriviallyDeadInstructions(&Or);
}

} // namespace

bool kdiff::joinShuffles(Function &F) {
  SmallVector<WeakTrackingVH, 16> Ors;
  for (Instruction &I : instructions(F))
    if (I.getOpcode() == Instruction::Or && I.getType()->isIntegerTy(64))
      Ors.push_back(&I);
  bool Changed = false;
  BitTracer Tracer;
  for (WeakTrackingVH &V : Ors) {
    auto *Or = dyn_cast_or_null<Instruction>(V);
    std::optional<Halves> Found = Or ? matchHalves(*Or, Tracer) : std::nullopt;
    if (!Found)
      continue;
    join(*Or, *Found);
    Tracer = BitTracer(); // It knows what was there before.
    Changed = true;
  }
  return Changed;
}

/// They read no memory, but LLVM does not know.
static bool isUnused(const Instruction &I) {
  auto *CI = dyn_cast<CallInst>(&I);
  return I.use_empty() &&
         (isInstructionTriviallyDead(const_cast<Instruction *>(&I)) ||
          (CI && nvptx::shuffleOf(*CI)));
}

void kdiff::dropUnusedShuffles(Function &F) {
  bool Changed = true;
  while (std::exchange(Changed, false))
    for (BasicBlock &Block : F)
      for (Instruction &I : make_early_inc_range(reverse(Block)))
        if (isUnused(I)) {
          I.eraseFromParent();
          Changed = true;
        }
}
