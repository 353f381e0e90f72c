//===- Plan.h - Where the reverse sweep gets primal values from -*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: for every primal value that the reverse sweep
// needs, is it in scope, recomputed, reloaded or taped; what does each record
// of the tape hold; and how is each adjoint addition made?
//
// Only the plan decides; emit reads it.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_PLAN_H
#define KDIFF_PLAN_PLAN_H

#include "analysis/Claims.h"
#include "plan/Additions.h"
#include "plan/Flow.h"
#include "plan/Gather.h"
#include "plan/Marks.h"
#include "plan/Replay.h"
#include "plan/Tiles.h"
#include "shadow/Shadows.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"

namespace kdiff {

enum class Source {
  Free,      ///< Constant, argument, alloca, loop counter: nothing to do.
  InScope,   ///< Computed once before the reverse sweep: kept in a register.
  Recompute, ///< Its instruction is repeated.
  Reload,    ///< Its load is repeated: nobody overwrites the memory.
  Tape,      ///< Pushed by the forward sweep, popped by the reverse sweep.
  Replay,    ///< Computed by running the loop again from a checkpoint.
  Kept       ///< Computed on the way there, and kept for its iteration.
};

struct Decision {
  Source From = Source::Free;
  bool Exact = false; ///< Some reader needs the forward sweep's very value.
  /// Of a quotient that is computed again: as a product (Quotients.h).
  bool ByReciprocal = false;
  const llvm::Instruction *NeededBy = nullptr; ///< The first that asked.
  std::string Why;                             ///< Of Tape: why no cheaper.
};

/// One scalar of a record.
struct Field {
  llvm::Value *V = nullptr;
  int Element = -1; ///< Of a vector; -1 for scalars.
  /// In memory. Integers are as narrow as the values that they may have.
  unsigned Offset = 0, Size = 0;
  int Bit = -1;       ///< The first bit in the byte or word; -1: whole bytes.
  unsigned Width = 0; ///< In bits.
};

/// The headers of a nest of loops, innermost first, and how many records one
/// iteration of each has at most: a record's index is the sum of the counters
/// times these.
using Strides = llvm::SmallVector<std::pair<llvm::BasicBlock *, unsigned>, 2>;

/// What is pushed together: at the end of each iteration of a loop, at the
/// start of each segment of a replayed loop, or at the end of the function.
struct Record {
  llvm::SmallVector<Field, 4> Fields;
  unsigned Bytes = 0; ///< A multiple of 8.
  /// Not 0: that many iterations share a record, a word in which each has this
  /// many bits; a field's Bit is the number of its first one among them.
  unsigned Shared = 0, Bits = 0;
  /// Not 0: no more records than this exist at a time, and they are kept in an
  /// array of the thread instead of on the tape.
  unsigned Local = 0;
  Strides Around; ///< If Local.
};

/// How a reversed loop is run.
struct LoopPlan {
  /// Lanes of a warp may have made different numbers of iterations: the
  /// reverse loop starts at the largest, and a lane joins at its own last
  /// one, so that all lanes are at the same iteration, as they were forward.
  bool JoinsLate = false;
  Segment Replayed;
  /// Not 0: the sums over lanes of that many iterations are made at once.
  unsigned Chunk = 0;
  /// Its iterations do not depend on each other: the lanes of a warp run all
  /// of theirs together (ShareOut.h).
  bool SharedOut = false;
  /// Not 0: the primal's sums over lanes of that many iterations are made
  /// together, forward as well, and their adjoints. Then the loop may be one
  /// that is not reversed.
  unsigned Together = 0;
  /// Defined outside, and computed when the reverse sweep enters the loop.
  llvm::SmallSetVector<llvm::Value *, 4> Invariants;
  /// Where all of these are finite at the end of the loop, so are all factors
  /// of Products (Finite.h): the reversed loop has a version for that.
  llvm::SmallVector<llvm::Value *, 4> Ends;
  llvm::DenseSet<const llvm::Instruction *> Products;
};

/// Where all of Tested are finite, so are all factors of Products (Finite.h):
/// the reversed block has a version for that.
struct FiniteTest {
  llvm::SmallVector<llvm::Value *, 4> Tested;
  llvm::SmallVector<const llvm::Instruction *, 8> Products;
};

struct Plan {
  llvm::MapVector<llvm::Value *, Decision> Values;
  /// By header, of the reversed loops.
  llvm::MapVector<llvm::BasicBlock *, LoopPlan> Loops;
  /// By block.
  llvm::MapVector<llvm::BasicBlock *, Refill> Refills;
  /// By block.
  llvm::MapVector<llvm::BasicBlock *, FiniteTest> Tests;
  /// The header of the innermost loop that a block of the primal is in.
  llvm::DenseMap<llvm::BasicBlock *, llvm::BasicBlock *> Nest;
  /// By loop header; null for the function's own record (split shape).
  llvm::MapVector<llvm::BasicBlock *, Record> Records;

  Additions Adds;
  /// By the leader of a group of additions.
  llvm::MapVector<const llvm::Instruction *, Gather> Gathers;
  /// Stores whose shadow is a seed, which is left as it is.
  llvm::SetVector<const llvm::Instruction *> Seeded;
  SeedTests Overwritten; ///< Of these.
  /// Accesses before which the forward sweep looks whether the word was
  /// claimed.
  llvm::SmallVector<AccessBetween, 4> Watched;
  /// What the forward sweep leaves out.
  llvm::SmallVector<llvm::Instruction *, 8> Unwanted;
  bool NeedsTape = false; ///< Here, or in a function that is called.
  /// False: the user asked for what cannot be; reported.
  bool IsPossible = true;

  /// Tells the records of different functions and plans apart (split mode);
  /// never 0.
  uint32_t layout(const Subject &S) const;
  Source sourceOf(const llvm::Value *V) const;
  /// True if the reverse sweep computes the quotient \p I again, or its
  /// partials, from the reciprocal of its divisor.
  bool takesReciprocal(const llvm::Instruction &I) const;
  LoopPlan loop(llvm::BasicBlock *Header) const { return Loops.lookup(Header); }
  void print(llvm::raw_ostream &OS) const;
};

/// Tells the user what is taped and why, at the source line.
void remarkTaped(const Plan &P);

/// And what the launch tests.
void remarkWatched(const Plan &P);

/// Plans the reverse sweep of \p S, with \p Tests of its seeds. Reports what is
/// taped as remarks.
Plan makePlan(const Subject &S, const Activity &A, const Shadows &Sh,
              const Flow &Fl, const SeedTests &Tests,
              llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_PLAN_PLAN_H
