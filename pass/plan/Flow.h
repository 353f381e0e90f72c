//===- Flow.h - Which blocks are reversed, and how -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: from a block's reverse, where does the reverse
// sweep go on, and which parts of the primal have nothing to reverse?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_FLOW_H
#define KDIFF_PLAN_FLOW_H

#include "analysis/Activity.h"
#include "shadow/Subject.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"

namespace llvm {
class DominatorTree;
class LoopInfo;
} // namespace llvm

namespace kdiff {

/// How the reverse sweep leaves a block.
enum class Leave {
  Entry, ///< The function's entry: the sweep is over.
  To,    ///< To the reverse of one block: the only predecessor, or, where
         ///< nothing in between has a derivative, the dominating block.
  Join,  ///< To one of several predecessors, told by the join's selector.
  Exit,  ///< Into a loop, from one of its exits: to the exiting block.
  Header ///< Around the loop: to the latch, or out to the preheader.
};

struct Step {
  Leave How = Leave::Entry;
  /// To: the block. Exit: the exiting block.
  llvm::BasicBlock *Next = nullptr;
  /// Exit: the headers of the loops that are left, outermost first (a return
  /// or goto may leave several at once).
  llvm::SmallVector<llvm::BasicBlock *, 2> Loops;
};

class Flow {
public:
  Flow(const Subject &S, const Activity &A, const llvm::DominatorTree &DT,
       const llvm::LoopInfo &LI);

  /// The blocks that have a reverse, in the order the walk met them (the
  /// returning block first).
  const llvm::MapVector<llvm::BasicBlock *, Step> &steps() const {
    return Steps;
  }
  bool isReversed(llvm::BasicBlock *B) const { return Steps.contains(B); }

  /// The exits of the reversed loop \p Header through which the reverse sweep
  /// enters it: exit block, exiting block, and the header of the next inner
  /// loop that the exit leaves as well (null: none).
  struct LoopExit {
    llvm::BasicBlock *Exit, *Exiting, *Inner;
  };
  llvm::ArrayRef<LoopExit> exitsOf(llvm::BasicBlock *Header) const;

  /// True if the reverse sweep has something to do for \p I: a derivative to
  /// propagate, or threads to wait for.
  static bool hasWork(const llvm::Instruction &I, const Activity &A);

private:
  Step stepOf(llvm::BasicBlock *B) const;
  llvm::BasicBlock *skipTarget(llvm::BasicBlock *B) const;

  const Subject &S;
  const llvm::DominatorTree &DT;
  const llvm::LoopInfo &LI;
  /// Blocks with work; blocks with an active phi.
  llvm::DenseSet<const llvm::BasicBlock *> Working, Merging;
  llvm::MapVector<llvm::BasicBlock *, Step> Steps;
  llvm::DenseMap<llvm::BasicBlock *, llvm::SmallVector<LoopExit, 2>> Exits;
};

/// True if derivatives pass through calls that leave records of their own on
/// the tape: those that stay calls, and claims.
bool leavesOwnRecords(const Subject &S, const Activity &A);

/// True if \p V is computed in \p B from a phi of \p B.
bool isMadeFromPhi(const llvm::Value *V, const llvm::BasicBlock &B);

} // namespace kdiff
#endif // KDIFF_PLAN_FLOW_H
