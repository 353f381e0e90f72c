//===- Replay.cpp - Loops that are run again by segments ------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Replay.h.
//
// Checkpointing by segments of equal length (A. Griewank, "Achieving
// logarithmic growth of temporal and spatial complexity in reverse automatic
// differentiation", 1992, has the general case).
//
//===----------------------------------------------------------------------===//

#include "plan/Replay.h"
#include "rules/Rules.h"
#include "target/Sync.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Instructions.h"

using namespace llvm;

namespace kdiff {

/// Costs are in simple operations of single precision. A card does about 16 of
/// them in the time in which it moves a byte to or from its memory (H200: 60
/// Tflop/s, 4 TB/s), and the tape moves each byte twice; half of that leaves
/// room for latencies.
static constexpr unsigned OperationsPerTapedByte = 16;
static constexpr unsigned CallCost = 32, DivisionCost = 16, LoadCost = 16,
                          ShuffleCost = 8;

/// What a segment may keep in registers, and how much code its unrolled loops
/// may be.
static constexpr unsigned RegisterBytes = 256;
static constexpr unsigned UnrolledInstructions = 4096;
/// The reverse of an instruction is about this many.
static constexpr unsigned ReverseFactor = 4;

static unsigned costOf(const Instruction &I) {
  if (auto *CB = dyn_cast<CallBase>(&I))
    return nvptx::shuffleOf(*CB) ? ShuffleCost : CallCost;
  if (isa<LoadInst>(I))
    return LoadCost;
  unsigned Width = I.getType()->getScalarSizeInBits() > 32 ? 2 : 1;
  switch (I.getOpcode()) {
  case Instruction::FDiv:
  case Instruction::FRem:
  case Instruction::SDiv:
  case Instruction::UDiv:
  case Instruction::SRem:
  case Instruction::URem:
    return DivisionCost * Width;
  default:
    return Width;
  }
}

static unsigned bytesOf(const Value &V) {
  return divideCeil(V.getType()->getPrimitiveSizeInBits().getFixedValue(), 8u);
}

/// \p I, in the loop, is to be repeated.
bool Replay::visit(Instruction &I) {
  if (Facts.IsGiven(&I) || &I == Shape.Counter)
    return true;
  if (auto *Phi = dyn_cast<PHINode>(&I); Phi && I.getParent() == Shape.Header) {
    if (bytesOf(I) == 0)
      return false;
    State.insert(Phi);
    return true;
  }
  return repeat(I);
}

/// The lanes of an exchange that is made again have to come to it together. If
/// it names the same lanes in every iteration, these make the same iterations.
/// If no iteration branches, they are together wherever its result is needed.
bool Replay::canExchange(const Instruction &I) const {
  auto *CB = dyn_cast<CallBase>(&I);
  auto Shuffle = CB ? nvptx::shuffleOf(*CB) : std::nullopt;
  const BasicBlock *Exiting = L.getExitingBlock();
  return Shuffle && L.contains(&I) && Exiting &&
         L.isLoopInvariant(CB->getArgOperand(Shuffle->Mask)) &&
         all_of(L.blocks(), [&](BasicBlock *B) {
           return B == Exiting || B->getSingleSuccessor();
         });
}

/// True if \p I may be repeated: it will be.
bool Replay::repeat(Instruction &I) {
  if (!Facts.CanRepeat(I) && !canExchange(I))
    return false;
  Repeated.insert(&I);
  return true;
}

bool Replay::findState(ArrayRef<Value *> Taped) {
  for (Value *V : Taped) {
    auto &I = *cast<Instruction>(V);
    // What is computed from the state need not be kept beside it.
    bool IsState = isa<PHINode>(I) && I.getParent() == Shape.Header;
    if (!(IsState ? visit(I) : repeat(I)))
      return false;
  }
  unsigned Phis = 0, Others = 0;
  while (Phis != State.size() || Others != Repeated.size()) {
    SmallVector<Value *, 4> Operands;
    if (Phis != State.size())
      Operands.push_back(State[Phis++]->getIncomingValueForBlock(Shape.Latch));
    else
      append_range(Operands, Repeated[Others++]->operands());
    for (Value *Operand : Operands)
      if (auto *I = dyn_cast<Instruction>(Operand))
        if (!visit(*I))
          return false;
  }
  return true;
}

/// True if a value is computed from a rounded phi, or by rounding.
bool Replay::comesFromRounded(Value *V) const {
  SmallVector<Value *, 8> Work{V};
  SmallPtrSet<Value *, 8> Seen;
  while (!Work.empty()) {
    auto *I = dyn_cast<Instruction>(Work.pop_back_val());
    if (!I || !L.contains(I) || !Seen.insert(I).second)
      continue;
    if (Rounded.contains(I))
      return true;
    if ((isa<PHINode>(I) && I->getParent() == Shape.Header) || Facts.IsGiven(I))
      continue;
    if (findRule(*I))
      return true;
    append_range(Work, I->operands());
  }
  return false;
}

/// False if control flow or an address needs what would be rounded anew.
bool Replay::findRounded() {
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (PHINode *Phi : State)
      if (!Rounded.contains(Phi) &&
          comesFromRounded(Phi->getIncomingValueForBlock(Shape.Latch)))
        Changed = Rounded.insert(Phi).second;
  }
  return none_of(State,
                 [&](PHINode *Phi) {
                   return Rounded.contains(Phi) && Facts.IsExact(Phi);
                 }) &&
         none_of(Repeated, [&](Instruction *I) {
           return Facts.IsExact(I) && comesFromRounded(I);
         });
}

/// No load of the loop, in the replay or behind it, may go astray.
bool Replay::hasExactAddresses() const {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (auto *Load = dyn_cast<LoadInst>(&I);
          Load && comesFromRounded(Load->getPointerOperand()))
        return false;
  return true;
}

unsigned Replay::replayCost() const {
  unsigned Cost = 0;
  for (Instruction *I : Repeated)
    Cost += costOf(*I);
  return Cost;
}

/// Nothing else of the loop may be on the tape between two checkpoints.
static bool leavesRecords(const Loop &L) {
  for (BasicBlock *B : L.blocks())
    for (Instruction &I : *B)
      if (auto *CB = dyn_cast<CallBase>(&I))
        if (classify(*CB) == CallClass::Defined)
          return true;
  return !L.getSubLoops().empty();
}

Segment Replay::plan(ArrayRef<Value *> Taped, unsigned Bytes) {
  Segment S;
  if (leavesRecords(L) || !findState(Taped) || !findRounded() ||
      !hasExactAddresses() || State.empty() ||
      (!Shape.Snapshots && replayCost() > OperationsPerTapedByte * Bytes))
    return S;

  unsigned Size = 0;
  for (BasicBlock *B : L.blocks())
    Size += B->sizeWithoutDebug();
  unsigned Kept = 0;
  for (PHINode *Phi : State)
    Kept += bytesOf(*Phi);
  S.Length = 8;
  while (S.Length > 4 && S.Length * Kept > RegisterBytes)
    S.Length /= 2;
  S.Unrolled = S.Length * Kept <= RegisterBytes &&
               S.Length * Size * ReverseFactor <= UnrolledInstructions;
  if (!S.Unrolled)
    S.Length = 16;
  S.Guarded = any_of(Repeated, [](const Instruction *I) {
    return !isSafeToSpeculativelyExecute(I);
  });
  return S;
}

} // namespace kdiff
