//===- Clock.h - What comes before what ------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which accesses of other threads does a thread's
// next access come after?
//
// Vector clocks (C. Fidge, F. Mattern, 1988). A thread's time advances
// whenever others may learn of it: at barriers, warp barriers and fences. A
// clock holds, for each thread, the last time that is known to be over; it is
// immutable and shared, since all threads that leave a barrier know the same.
//
// The rules are those of PTX' memory consistency model (PTX ISA 9.0, chapter
// 8), as far as programs can rely on them:
//   - A barrier orders the accesses of its participants, those that have only
//     arrived among the ones before. bar.warp.sync does so for its lanes.
//     Shuffles, votes and their kin order nothing (CUDA C++ Programming Guide,
//     "Warp Shuffle Functions").
//   - A fence, then an atomic write: whoever reads that value with an atomic
//     and then passes a fence comes after what preceded the first fence. A
//     barrier counts as the second fence, but not as the first.
//   - An atomic comes after those before it at its address, which other
//     accesses to that address then do as well (Races.h).
//   - Read-modify-writes carry on what they found; a plain atomic store
//     replaces it.
//   - Fences and atomics of block scope say nothing to other blocks.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_CHECK_CLOCK_H
#define KDIFF_SIMT_CHECK_CLOCK_H

#include "llvm/ADT/ArrayRef.h"
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace kdiff::simt {

/// Whom a fence or an atomic operation speaks to.
enum class SyncReach : uint32_t { Block, Device };
constexpr unsigned SyncReaches = 2;

using Times = std::vector<uint32_t>; ///< By number of the thread in its block.

struct Clock {
  uint32_t Block; ///< Its number in the grid.
  Times Own;      ///< Of that block's threads.
  /// Of other blocks' threads, by block; null: nothing is known.
  std::shared_ptr<const std::map<uint32_t, std::shared_ptr<const Times>>>
      Others;
};
using ClockRef = std::shared_ptr<const Clock>;

/// A thread's view of the grid at one of its times, inclusive.
struct Stamp {
  ClockRef Known; ///< Null: no stamp.
  uint32_t Thread = 0;
  uint32_t Time = 0;
};

/// A thread's place in the order.
class ThreadOrder {
public:
  void start(ClockRef Nothing, uint32_t ThreadInBlock);

  uint32_t time() const { return Time; }
  /// Whether the access that thread \p Other of block \p Block made at \p When
  /// comes before this thread's next one.
  bool isAfter(uint32_t Block, uint32_t Other, uint32_t When) const {
    if (Block == Known->Block)
      return Other == Self || Known->Own[Other] >= When;
    return isAfterOther(Block, Other, When);
  }
  /// A fence: what atomics have read counts from now on, and atomics that
  /// follow tell what came before.
  void fence(SyncReach Reach) {
    acquire(Reach);
    release(Reach);
  }
  void acquire(SyncReach Reach);
  void release(SyncReach Reach);
  /// The view so far, for those who meet this thread; its time moves on.
  Stamp leaveStamp();
  /// Takes over what others' stamps say.
  void learn(ClockRef All) { Known = std::move(All); }
  /// Null: there is nothing that waits for a fence.
  const ClockRef &pending(SyncReach R) const { return Pending[unsigned(R)]; }
  void clearPending();

private:
  friend class Mailbox;
  ClockRef Known;
  uint32_t Self = 0;
  uint32_t Time = 1;
  Stamp Released[SyncReaches];   ///< By the last fence of that reach or more.
  ClockRef Pending[SyncReaches]; ///< Read by atomics since the last fence.

  bool isAfterOther(uint32_t Block, uint32_t Other, uint32_t When) const;
};

/// All of them meet: each comes after what any did before, and after \p Extra.
void meet(llvm::ArrayRef<ThreadOrder *> Threads, llvm::ArrayRef<Stamp> Extra);

/// What the last atomic writes to one address say.
class Mailbox {
public:
  /// \p T reads (\p Acquires: as with a fence behind it).
  void read(ThreadOrder &T, SyncReach Reach, bool Acquires) const;
  /// \p T writes; \p Keeps: a read-modify-write; \p Releases: as with a fence
  /// in front of it.
  void write(ThreadOrder &T, SyncReach Reach, bool Keeps, bool Releases);

private:
  ClockRef Letters[SyncReaches];
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_CHECK_CLOCK_H
