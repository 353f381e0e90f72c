//===- Context.h - What a GPU thread knows about itself --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what state do lowered code and the runtime
// share for each GPU thread and block?
//
// Lowered code reads the first fields at their offsetof; it runs in the process
// that compiled it, so this header is the whole of that contract.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_CONTEXT_H
#define KDIFF_SIMT_CONTEXT_H

#include <cstdint>

namespace kdiff::simt {

class Scheduler;

constexpr unsigned WarpSize = 32;
constexpr unsigned BarrierCount = 16;
/// Shared memory that the toolkit keeps for itself (%reserved_smem_offset_1):
/// cooperative groups store their own barriers there. It precedes the
/// kernel's, and starts each block as zeros.
constexpr unsigned ReservedShared = 1024;

/// The operations in which lanes of a warp meet.
enum class WarpOp : uint32_t {
  ShuffleIdx,
  ShuffleUp,
  ShuffleDown,
  ShuffleBfly,
  Ballot,
  Any,
  All,
  Uniform,
  MatchAny,
  MatchAll,
  Elect,
  Add,
  UMin,
  UMax,
  SMin,
  SMax,
  And,
  Or,
  Xor,
  FMin,
  FMax,
  FMinNaN,
  FMaxNaN,
  Sync,
  ActiveMask
};

/// What a barrier computes; Arrive does not wait.
enum class BarrierOp : uint32_t { Sync, And, Or, Popc, Arrive };

enum class MemorySpace : uint32_t { Global, Shared, Local, Constant };

/// Constant for all threads while a block runs.
struct BlockContext {
  uint32_t Ctaid[3];
  uint32_t Ntid[3];
  uint32_t Nctaid[3];
  uint32_t SharedBytes; ///< Static and dynamic.
  uint32_t DynamicBytes;
  char *Shared; ///< Behind the reserved part; below 4 GiB.
};

enum class ThreadState : uint8_t { Fresh, Ready, AtBarrier, AtWarpOp, Done };

struct Thread {
  // Read by lowered code.
  uint32_t Tid[3];
  uint32_t Lane;
  uint32_t Warp;
  uint32_t Predicate; ///< Second result of the last warp operation.
  const BlockContext *Block;

  // Private to the runtime.
  Scheduler *Owner;
  void *StackPointer;
  int32_t Stack;    ///< Index of its fiber's stack; -1: none.
  uint32_t Linear;  ///< Number within the block, x fastest.
  int32_t Patience; ///< Atomics and volatile loads until it yields.
  ThreadState State;
  uint32_t Site; ///< Where it waits.
  uint32_t Mask; ///< Waiting lanes, or the barrier's number.
  WarpOp Op;
  uint32_t Offset;    ///< Shuffle: b operand.
  uint32_t Clamp;     ///< Shuffle: c operand.
  uint64_t Value;     ///< What it brings.
  uint64_t Result;    ///< What it takes away.
  uint64_t Undefined; ///< Bits of Value, then of Result, that are undefined.
};

/// The running thread. Code of a fiber always finds its own thread here, so
/// functions load it once.
extern Thread *Current;

} // namespace kdiff::simt
#endif // KDIFF_SIMT_CONTEXT_H
