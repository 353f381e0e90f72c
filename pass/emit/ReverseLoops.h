//===- ReverseLoops.h - How a reversed loop runs ---------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does the reverse sweep enter a loop, go from
// one iteration to the one before it, and know which lanes take part?
//
// A reversed loop runs from the iteration in which it was left down to
// iteration 0. Every iteration starts in one block, from which it goes to the
// exiting block the first time and to the latch from then on, so that it is a
// natural loop whatever exits it had:
//
//   exit -> start -> ... reverse of the body ... -> header -> out
//             ^------------------------------------|
//
// Where lanes join late, or the loop is replayed, a lane whose last iteration
// is further down passes from start to the next iteration at once. All lanes
// leave the loop together, behind iteration 0, from the block where those that
// pass and those that do not meet: an exit anywhere else would keep them apart
// until the loop's end, since the hardware lets lanes meet where all ways lead.
//
//   exit -> [segment ->] start -> body ... -> header
//             ^            |                    |
//             |            +------> next <------+
//             +-----------------------|-> out
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_REVERSELOOPS_H
#define KDIFF_EMIT_REVERSELOOPS_H

#include "emit/Reverse.h"

namespace kdiff {

/// A phi, and its adjoints.
using PhiAdjoints = std::pair<llvm::PHINode *, LaneValues>;

class ReverseLoops {
public:
  explicit ReverseLoops(ReverseContext &C) : C(C), B(C.B) {}

  /// Makes the blocks and slots of every reversed loop. Comes first.
  void create();

  /// Ends the reverse of \p Exit, an exit of the loops in \p Next: sets these
  /// up and branches to the outermost.
  void enter(llvm::BasicBlock *Exit, const Step &Next);

  /// At the reverse of the loop's header: branches on whether this was
  /// iteration 0. \p Taken are the adjoints of the header's phis; of what they
  /// become, the caller hands ToPreheader on at Out and ends it, and ToLatch at
  /// Back, which ends with next().
  struct Ways {
    llvm::BasicBlock *Out, *Back;
    llvm::SmallVector<PhiAdjoints, 4> ToPreheader, ToLatch;
  };
  Ways leaveHeader(llvm::BasicBlock *Header, llvm::ArrayRef<PhiAdjoints> Taken);
  /// Ends the block with a branch to the iteration before.
  void next(llvm::BasicBlock *Header);

  /// Fills the blocks of the loop. \p Reverse finds a block's reverse.
  void
  build(llvm::BasicBlock *Header,
        llvm::function_ref<llvm::BasicBlock *(llvm::BasicBlock *)> Reverse);

private:
  struct Blocks {
    llvm::BasicBlock *Start = nullptr;
    llvm::BasicBlock *Next = nullptr;      ///< Or null.
    llvm::BasicBlock *Segment = nullptr;   ///< Or null.
    llvm::AllocaInst *Target = nullptr;    ///< 0: the latch; k + 1: exit k.
    llvm::AllocaInst *Last = nullptr;      ///< The lane's last iteration.
    llvm::AllocaInst *First = nullptr;     ///< Of the segment.
    llvm::AllocaInst *InSegment = nullptr; ///< Counts from the segment's first.
    /// Whether something that the loop ends with may not be finite; or null.
    llvm::AllocaInst *Doubt = nullptr;
    llvm::SmallVector<llvm::AllocaInst *, 4>
        Ends; ///< If so: what it ends with.
    /// What the header's phis pass on where threads meet, by phi and lane: of
    /// threads that wait, the neutral adjoints. Of a phi that passes it on at
    /// once, nothing.
    llvm::SmallVector<llvm::SmallVector<llvm::AllocaInst *, 1>, 4> Passed;
  };

  llvm::BasicBlock *block(const llvm::Twine &Name);
  const LoopShape &shape(llvm::BasicBlock *Header) const;
  llvm::Value *ownNext(llvm::PHINode &Phi) const;
  void keepEnds(llvm::BasicBlock *Header);
  void askEnds(llvm::BasicBlock *Header);
  void startAt(llvm::BasicBlock *Header, llvm::Value *Last, bool MayJoinLate);
  void
  dispatch(llvm::BasicBlock *Header,
           llvm::function_ref<llvm::BasicBlock *(llvm::BasicBlock *)> Reverse);
  void passLanesThatWait(llvm::BasicBlock *Header);
  void nextInSegment(llvm::BasicBlock *Header);
  void buildSegment(llvm::BasicBlock *Header);
  llvm::Value *load(llvm::AllocaInst *Slot);

  ReverseContext &C;
  llvm::IRBuilder<> &B;
  llvm::DenseMap<llvm::BasicBlock *, Blocks> Loops;
};

} // namespace kdiff
#endif // KDIFF_EMIT_REVERSELOOPS_H
