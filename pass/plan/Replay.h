//===- Replay.h - Loops that are run again by segments ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: may the reverse sweep compute what a loop
// carries from iteration to iteration again, from a checkpoint every few
// iterations, and is that cheaper than to keep it on the tape every time?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_REPLAY_H
#define KDIFF_PLAN_REPLAY_H

#include "plan/Needs.h"
#include "prepare/Prepare.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"
#include <string>

namespace llvm {
class Instruction;
} // namespace llvm

namespace kdiff {

/// The iterations of a loop between two checkpoints.
struct Segment {
  unsigned Length = 0; ///< A power of two; 0: the loop is not replayed.
  /// A replayed iteration must be one that the loop ran: it has loads.
  bool Guarded = false;
  /// The segment's values are few enough for registers: both of its loops are
  /// to be unrolled. Else they are kept in local memory.
  bool Unrolled = false;
  /// So are those of the forward sweep, which then looks for a snapshot that is
  /// due once a segment: its iterations are short.
  bool UnrolledForth = false;
  /// Not 0: no more checkpoints than this exist at a time, kept by the thread
  /// in an array of its own; the loop is run again to have others.
  unsigned Snapshots = 0;
  /// If so: the last iteration, where that is known before the loop.
  llvm::Value *Last = nullptr;
  /// What the replay computes in each iteration, also the last, and the reverse
  /// of the iteration reads instead of computing it again; in their order.
  llvm::SmallVector<llvm::Instruction *, 2> Kept;
};

/// How \p S keeps checkpoints, and why, for a remark. \p Asked: the snapshots
/// that the user asked for.
std::string explain(const Segment &S, unsigned Asked);

/// What a replay asks the planner.
struct ReplayFacts {
  /// True if the reverse sweep has the value without the tape of this loop.
  llvm::function_ref<bool(llvm::Value *)> IsGiven;
  /// True if the instruction may be repeated, give or take rounding.
  llvm::function_ref<bool(llvm::Instruction &)> CanRepeat;
  /// True if control flow or an address needs the value bit by bit.
  llvm::function_ref<bool(const llvm::Value *)> IsExact;
};

/// True if the exchange \p CB between lanes, in loop \p L (null: in none), may
/// be made again in the reverse of its iteration, and for an iteration that is
/// run again.
bool canExchangeAgain(const llvm::CallBase &CB, const llvm::Loop *L);

class Replay {
public:
  Replay(const LoopShape &Shape, const llvm::Loop &L, const ReplayFacts &Facts)
      : Shape(Shape), L(L), Facts(Facts) {}

  /// Tries to replay the loop, where otherwise \p Taped is what each of its
  /// iterations keeps on the tape, \p Bytes in all. Length is 0 if that cannot
  /// be, or would cost more where the user did not ask for snapshots.
  /// Snapshots is how many the user asked for, or, if an array of the thread
  /// lives long enough (\p HasArray), how many cost less than the tape.
  Segment plan(llvm::ArrayRef<llvm::Value *> Taped, unsigned Bytes,
               bool HasArray);

  /// Lets \p S, which is this loop's, keep what spares the reverse sweep, which
  /// has \p Needs, exchanges that the replay makes anyway.
  void keepExchanged(Segment &S, llvm::ArrayRef<Need> Needs) const;

  /// The header phis that make a checkpoint: what Taped is computed from, and
  /// what the replay computes these from.
  llvm::ArrayRef<llvm::PHINode *> state() const { return State.getArrayRef(); }

private:
  bool findState(llvm::ArrayRef<llvm::Value *> Taped);
  bool visit(llvm::Instruction &I);
  llvm::SmallPtrSet<const llvm::Instruction *, 32> advancing() const;
  bool repeat(llvm::Instruction &I);
  bool findRounded();
  bool hasExactAddresses() const;
  bool comesFromRounded(llvm::Value *V) const;
  unsigned replayCost() const;
  unsigned snapshots(unsigned Length) const;
  unsigned stateBytes() const;

  const LoopShape &Shape;
  const llvm::Loop &L;
  const ReplayFacts &Facts;
  llvm::SmallSetVector<llvm::PHINode *, 8> State;
  llvm::SmallSetVector<llvm::Instruction *, 32> Repeated;
  /// Phis that floating-point arithmetic leads to: the back end may contract
  /// its repetition differently.
  llvm::SmallPtrSet<const llvm::Value *, 8> Rounded;
};

} // namespace kdiff
#endif // KDIFF_PLAN_REPLAY_H
