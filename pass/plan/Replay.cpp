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
#include "plan/MinCut.h"
#include "plan/Records.h"
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
/// A push and a pop cost about this much besides: the tests for room, and the
/// time in which the reverse sweep waits for what it pops. (H200, three doubles
/// every eighth step: about 1600 in all.)
static constexpr unsigned TapeAccessCost = 512;
static constexpr unsigned CallCost = 32, DivisionCost = 16, LoadCost = 16,
                          ShuffleCost = 8;

/// What a thread's snapshots may take of its local memory, and how many there
/// are at most. As long as every segment has one, nothing is run twice: so they
/// are many (H200, three doubles, 1000 steps: 7.0 ms with 128 and 10.6 with 36,
/// since also the schedule costs). Loops that are shorter do not touch the
/// rest. Fewer than the least would have a long loop run too often.
static constexpr unsigned SnapshotBytes = 4096, MaxSnapshots = 128,
                          MinSnapshots = 64;

/// What a segment may keep in registers, and how much code its unrolled loops
/// may be.
static constexpr unsigned RegisterBytes = 256;
static constexpr unsigned UnrolledInstructions = 4096;
/// An iteration that costs more hides the test for a snapshot.
static constexpr unsigned ShortIteration = 64;
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

/// True if every iteration runs all of the loop, but perhaps for the last.
static bool isBranchless(const Loop &L) {
  const BasicBlock *Exiting = L.getExitingBlock();
  return Exiting && all_of(L.blocks(), [&](BasicBlock *B) {
           return B == Exiting || B->getSingleSuccessor();
         });
}

/// The lanes of an exchange that is made again have to come to it together. If
/// it names the same lanes in every iteration, these make the same iterations.
/// If no iteration branches, they are together wherever its result is needed.
bool canExchangeAgain(const CallBase &CB, const Loop *L) {
  auto Shuffle = nvptx::shuffleOf(CB);
  return Shuffle && L && L->isLoopInvariant(CB.getArgOperand(Shuffle->Mask)) &&
         isBranchless(*L);
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

/// True if \p I may be repeated: it will be.
bool Replay::repeat(Instruction &I) {
  if (!Facts.CanRepeat(I))
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

unsigned Replay::stateBytes() const {
  unsigned Bytes = 0;
  for (PHINode *Phi : State)
    Bytes += bytesOf(*Phi);
  return Bytes;
}

/// How many checkpoints to keep in local memory; 0: the tape is cheaper. With
/// c of them, (c + 1)(c + 2) / 2 segments are reversed by running each once
/// more (Snapshots.h); a checkpoint on the tape costs its push and pop.
unsigned Replay::snapshots(unsigned Length) const {
  unsigned Bytes = alignTo(stateBytes(), 8);
  unsigned Count = std::min<unsigned>(
      SnapshotBytes / (Bytes + bytesOf(*Shape.Counter)), MaxSnapshots);
  return Count >= MinSnapshots &&
                 Length * replayCost() <=
                     TapeAccessCost + OperationsPerTapedByte * Bytes
             ? Count
             : 0;
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

/// What the replay computes to get from one iteration to the next.
SmallPtrSet<const Instruction *, 32> Replay::advancing() const {
  SmallPtrSet<const Instruction *, 32> Result;
  SmallVector<const Value *, 16> Work;
  for (const PHINode *Phi : State)
    Work.push_back(Phi->getIncomingValueForBlock(Shape.Latch));
  while (!Work.empty())
    if (auto *I = dyn_cast<Instruction>(Work.pop_back_val());
        I && Repeated.contains(const_cast<Instruction *>(I)) &&
        Result.insert(I).second)
      append_range(Work, I->operands());
  return Result;
}

/// Finds the fewest bytes between the exchanges and what is needed.
void Replay::keepExchanged(Segment &S, ArrayRef<Need> Needs) const {
  if (!isBranchless(L))
    return;
  SmallPtrSet<const Instruction *, 32> Advancing = advancing();
  MinCut Graph;
  DenseMap<Instruction *, unsigned> Nodes;
  SmallVector<Instruction *, 32> Values;
  auto NodeOf = [&](Instruction *I) {
    auto [It, New] = Nodes.try_emplace(I, 0);
    if (New) {
      It->second = Graph.addNode(bytesOf(*I) ? bytesOf(*I) : MinCut::Infinite);
      Values.push_back(I);
    }
    return It->second;
  };
  auto IsAgain = [&](Value *V) {
    auto *I = dyn_cast<Instruction>(V);
    return I && L.contains(I) && !Facts.IsGiven(I) && Repeated.contains(I);
  };
  for (const Need &N : Needs)
    if (IsAgain(N.V))
      Graph.addSink(NodeOf(cast<Instruction>(N.V)));
  for (unsigned Next = 0; Next != Values.size(); ++Next) {
    Instruction *I = Values[Next];
    auto *CB = dyn_cast<CallBase>(I);
    if (CB && nvptx::shuffleOf(*CB) && Advancing.contains(I))
      Graph.addSource(Nodes.lookup(I));
    for (Value *Operand : I->operands())
      if (IsAgain(Operand)) {
        unsigned From = NodeOf(cast<Instruction>(Operand));
        Graph.addFlow(From, Nodes.lookup(I));
      }
  }
  unsigned Bytes = stateBytes();
  SmallPtrSet<Instruction *, 4> Cut;
  for (unsigned Node : Graph.run()) {
    Cut.insert(Values[Node]);
    Bytes += bytesOf(*Values[Node]);
  }
  if (S.Unrolled && S.Length * Bytes > RegisterBytes)
    return;
  // The blocks up to the exit are those that the last iteration runs.
  for (BasicBlock *B = Shape.Header; B; B = B->getSingleSuccessor())
    for (Instruction &I : *B)
      if (Cut.contains(&I))
        S.Kept.push_back(&I);
}

/// The last iteration of \p Shape's loop, where that is known before the loop;
/// else null.
static Value *lastIteration(const LoopShape &Shape) {
  if (Shape.BackedgesAtExit.size() != 1)
    return nullptr;
  auto &[Exit, Last] = Shape.BackedgesAtExit.front();
  auto *I = dyn_cast<Instruction>(Last);
  return I && I->getParent() == Exit ? nullptr : Last; // Null if counted.
}

Segment Replay::plan(ArrayRef<Value *> Taped, unsigned Bytes, bool HasArray) {
  Segment S;
  if (leavesRecords(L) || !findState(Taped) || !findRounded() ||
      !hasExactAddresses() || State.empty() ||
      (!Shape.Snapshots && replayCost() > OperationsPerTapedByte * Bytes))
    return S;

  unsigned Size = 0;
  for (BasicBlock *B : L.blocks())
    Size += B->sizeWithoutDebug();
  unsigned Kept = stateBytes();
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
  if (HasArray)
    S.Snapshots = Shape.Snapshots ? Shape.Snapshots : snapshots(S.Length);
  if (S.Snapshots)
    S.Last = lastIteration(Shape);
  S.UnrolledForth = S.Snapshots && S.Unrolled && replayCost() <= ShortIteration;
  return S;
}

std::string explain(const Segment &S, unsigned Asked) {
  if (!S.Snapshots)
    return "checkpoint every " + std::to_string(S.Length) +
           " iterations: to run them again costs less than to keep them on "
           "the tape";
  std::string How = "at most " + std::to_string(S.Snapshots) +
                    " snapshots at a time, in local memory";
  if (!Asked)
    How += ": to run iterations again costs less than the tape";
  return How;
}

} // namespace kdiff
