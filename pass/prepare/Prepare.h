//===- Prepare.h - The primal's canonical form -----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does a primal look like that the later
// stages can reverse without thinking about its source form?
//
// Canonical form:
//  - an internal clone of the primal; calls inlined, except functions with a
//    rule or a call class (rules/Rules.h), and recursive ones;
//  - SROA/mem2reg, simplified CFG, loops in simplify form (preheader, one
//    latch, dedicated exits), rotated where possible, LCSSA;
//  - exactly one returning block; no unreachable blocks; allocas in entry;
//  - no critical edge; no irreducible cycle; no invoke, no indirectbr;
//  - every loop has a counter phi: 0 from the preheader, +1 from the latch;
//    integer and pointer inductions are written in terms of it;
//  - every join knows which predecessor ran, every loop exit knows how many
//    back edges were taken;
//  - pointers in their inferred address space.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PREPARE_PREPARE_H
#define KDIFF_PREPARE_PREPARE_H

#include "request/Request.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include <optional>

namespace llvm {
class BasicBlock;
class Function;
class Loop;
class PHINode;
class Value;
class raw_ostream;
} // namespace llvm

namespace kdiff {

/// A block with several predecessors that is no loop header.
struct Join {
  /// An integer (i1 for two predecessors) that is available in the block
  /// (its definition dominates the block, or is a phi of the block).
  llvm::Value *Selector = nullptr;
  /// Preds[k] is the block that ran before this one iff Selector == k.
  llvm::SmallVector<llvm::BasicBlock *, 2> Preds;
};

/// A loop, named by its header.
struct LoopShape {
  llvm::BasicBlock *Header = nullptr;
  llvm::BasicBlock *Preheader = nullptr;
  llvm::BasicBlock *Latch = nullptr;
  /// How many snapshots the user allows (__kd_checkpoint); 0: not asked.
  unsigned Snapshots = 0;
  /// i32 where the trip count provably fits, else i64.
  llvm::PHINode *Counter = nullptr;
  /// For each (dedicated) exit block: the counter's value when the loop was
  /// left through it, available in the exit block: computed before the loop
  /// where scalar evolution knows it, else an LCSSA phi.
  llvm::MapVector<llvm::BasicBlock *, llvm::Value *> BackedgesAtExit;
};

struct Prepared {
  llvm::Function *F = nullptr;
  llvm::BasicBlock *ReturnBlock = nullptr;
  llvm::MapVector<llvm::BasicBlock *, Join> Joins;       ///< Keyed by block.
  llvm::MapVector<llvm::BasicBlock *, LoopShape> Loops;  ///< Keyed by header.

  /// The shape, what it lacks to be canonical, and the IR.
  void print(llvm::raw_ostream &OS) const;
};

/// Clones \p Primal and brings the clone into canonical form. Nothing if it
/// has a construct that no later stage could reverse; that was reported.
/// \p FAM must be able to compute the standard function analyses (with the
/// NVPTX target's information where a target is registered).
/// \p M tells which sweep the form is for.
std::optional<Prepared> prepare(llvm::Function &Primal, Mode M,
                                llvm::FunctionAnalysisManager &FAM);

/// Gives atomic maxima and minima in memory that outlives the launch a claim to
/// what they put (nvptx::createClaim). For split mode; \p F is prepared.
void claimExtremes(llvm::Function &F);

} // namespace kdiff
#endif // KDIFF_PREPARE_PREPARE_H
