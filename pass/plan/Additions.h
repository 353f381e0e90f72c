//===- Additions.h - How each adjoint addition is made ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how, and where in the reverse sweep, is the
// adjoint of a load or block copy added to the shadow of the memory it read?
//
// Additions to memory that nobody writes may wait: nobody reads its shadow
// during the sweep. The later they are made, the fewer there are: one for all
// iterations of the loops in which the address stays the same, one for all
// threads of the block at the end of the sweep, or of many blocks.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_ADDITIONS_H
#define KDIFF_PLAN_ADDITIONS_H

#include "analysis/LaunchIndex.h"
#include "lower/Abstract.h"
#include "plan/Flow.h"
#include "shadow/Shadows.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/PassManager.h"
#include <array>
#include <optional>

namespace kdiff {

/// When an addition is made.
enum class AddAt {
  Here,     ///< Where the load is reversed.
  Group,    ///< With others of its block, where the first of them is reversed:
            ///< sums over the warp of any words; else neighbouring words: up to
            ///< four, aligned as a whole, or four or eight doubles.
  Gathered, ///< By one thread for several: where the first of them is reversed,
            ///< or the loop that makes them is left (plan/Gather.h).
  Loop,     ///< Where the reverse sweep has left a loop at its top.
  End,      ///< Where the reverse sweep is over, by all threads that began it.
  Grid      ///< Where a block has done its share of the grid's work, by all its
            ///< threads (Additions::Persistent).
};

/// How many threads away another one is in the launch, in each dimension: a sum
/// of multiples of products of integers that are the same for all threads.
struct Multiple {
  int64_t Factor = 0;
  llvm::SmallVector<llvm::Value *, 2> Of = {};
};
using ThreadsAway = std::array<llvm::SmallVector<Multiple, 1>, Dimensions>;

struct Addition {
  Accumulation Kind = Accumulation::Contended;
  AddAt At = AddAt::Here;
  /// Group, Gathered: the load that comes first in the block, and so is
  /// reversed last. End: if not null, the load to whose address that of this
  /// one is at a constant distance. Stencil: the load whose address is the
  /// threads' own word.
  const llvm::Instruction *Leader = nullptr;
  int64_t Distance = 0; ///< End: from the Leader's address, in bytes.
  unsigned Word = 0;    ///< Group of neighbours: which word this is.
  llvm::BasicBlock *Header = nullptr; ///< Loop: its header.
  /// Sums over lanes that several iterations of the innermost loop make at once
  /// (LoopPlan::Chunk): the bytes by which the address grows in an iteration.
  std::optional<int64_t> Step;
  ThreadsAway Owner; ///< Stencil: whose own word this likely is.
};

struct Additions {
  /// For each active load, and each block copy from active memory.
  llvm::MapVector<const llvm::Instruction *, Addition> Of;
  /// What the addresses of additions at the end are computed from.
  llvm::SetVector<llvm::Value *> EndLeaves;
  /// How the adjoints of kd_acc arguments are added at the end.
  Accumulation OfScalars = Accumulation::WarpUniform;
  /// The persistent form (design: section 5): as many blocks as fill the card
  /// do the work of all, so that what does not depend on the block is added
  /// once for many.
  bool Persistent = false;

  bool hasStencil() const {
    return llvm::any_of(Of, [](auto &Each) {
      return Each.second.Kind == Accumulation::Stencil;
    });
  }
  void print(llvm::raw_ostream &OS) const;
  /// Tells the user of each addition, at its source line. \p BlockMeets: as of
  /// the Subject.
  void report(bool BlockMeets) const;
};

/// True for the kinds that a warp's lanes make together, wherever they meet.
bool isSumOfLanes(Accumulation Kind);

/// True if no addition may be moved from behind \p I to in front of it: its
/// reverse reads or clears adjoints in memory, or waits for other threads.
bool separatesAdditions(const llvm::Instruction &I, const Activity &A,
                        const Shadows &Sh);

/// Decides for \p S.
Additions chooseAdditions(const Subject &S, const Activity &A,
                          const Shadows &Sh, const Flow &Fl,
                          llvm::FunctionAnalysisManager &FAM);

} // namespace kdiff
#endif // KDIFF_PLAN_ADDITIONS_H
