//===- Scheduler.h - One block after the other -----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which GPU thread runs next, and who waits for
// whom?
//
// A fiber runs a fresh thread; when that ends without ever having waited, the
// same fiber takes the next fresh thread, so kernels that do not synchronise
// never switch stacks. A thread that waits switches straight to the next
// runnable one.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_SCHEDULER_H
#define KDIFF_SIMT_SCHEDULER_H

#include "Context.h"
#include "Executor.h"
#include "Fiber.h"
#include "Lower.h"
#include "Memory.h"
#include "Queue.h"
#include "check/Checker.h"
#include "llvm/ADT/Twine.h"
#include <vector>

namespace kdiff::simt {

using EntryPoint = void (*)(void **Args);

/// All that one launch needs to know.
struct Launch {
  llvm::StringRef Kernel;
  EntryPoint Entry = nullptr;
  void **Args = nullptr;
  Dim3 Grid, Block;
  size_t StaticShared = 0, DynamicShared = 0;
  llvm::ArrayRef<SharedVariable> SharedVariables;
  llvm::ArrayRef<std::string> Sites; ///< Source places by number.
  LaunchOptions Options;
  std::string *Printed = nullptr;
};

class Scheduler {
public:
  explicit Scheduler(Arena &Global) : Global(Global) {}

  /// From now on, all launches are of instrumented code.
  Checker &enableChecks() {
    Check = std::make_unique<Checker>(*this, Global, Shared, Stacks);
    return *Check;
  }
  /// Null: there are no checks.
  Checker *checker() { return Check.get(); }

  llvm::Error run(const Launch &L);

  // What running threads ask for.
  uint32_t barrier(Thread &T, uint32_t Id, uint32_t Count, BarrierOp Op,
                   bool Predicate, bool Aligned, uint32_t Site);
  uint64_t warp(Thread &T, WarpOp Op, uint32_t Mask, uint64_t Value,
                uint32_t Offset, uint32_t Clamp, uint32_t Site);
  void yield(Thread &T);
  /// Ends \p T, wherever it is.
  [[noreturn]] void endThread(Thread &T);
  void print(const std::string &Text);
  bool isIn(const void *Address, MemorySpace Space) const;
  Arena &global() { return Global; }
  /// Ends the launch with an error by \p T; comes back nowhere. May be called
  /// from a signal handler that interrupted kernel code.
  [[noreturn]] void fail(const Thread &T, const llvm::Twine &Message);
  /// The same, with the place in the source.
  [[noreturn]] void failAt(const Thread &T, const llvm::Twine &Message,
                           uint32_t Site);
  /// What a wrong address hit, for a message.
  std::string describe(const void *Address) const;
  /// "kernel 'k', block (0,0,0), thread (1,0,0)"
  std::string where(const Thread &T) const;
  /// "(1,0,0)"
  std::string name(const Thread &T) const;
  /// The same for a thread by its numbers: "block (0,0,0), thread (1,0,0)".
  std::string nameInGrid(uint32_t Block, uint32_t Thread) const;
  /// Null: the stack is free.
  const Thread *threadOnStack(int Stack) const;
  /// Asks for the launch to end at the next occasion.
  void timeOut();

private:
  /// Lanes of a warp that wait in the same operation with the same mask.
  struct Meeting {
    WarpOp Op;
    uint32_t Mask;
    uint32_t Arrived;
  };
  struct Warp {
    uint32_t Alive = 0;
    uint32_t MeetingCount = 0;
    Meeting Meetings[WarpSize];
  };
  struct Barrier {
    uint32_t Arrived = 0;
    uint32_t Needed = 0;       ///< 0: all live threads.
    uint32_t True = 0;         ///< Arrivals whose predicate held.
    std::vector<Stamp> Passed; ///< With checks: of those that do not wait.
  };

  Arena &Global;
  SharedRegion Shared;
  FiberStacks Stacks;
  const Launch *L = nullptr;
  BlockContext Context = {};
  std::vector<Thread> Threads;
  std::vector<Warp> Warps;
  std::unique_ptr<Checker> Check;
  std::vector<Thread *> Together; ///< Those that meet, for the checks.
  Barrier Barriers[BarrierCount];
  uint32_t OpenBarriers = 0; ///< Bit set of those with arrivals.
  uint32_t Alive = 0;
  RunQueue Queue;
  void *SchedulerStack = nullptr;
  bool TimedOut = false;
  bool Failed = false;
  std::string Failure;

  llvm::Error prepare();
  void startBlock(uint32_t X, uint32_t Y, uint32_t Z);
  void runBlock();
  static void fiberMain();
  void resume(Thread &T);
  /// Leaves \p T, which waits, for the next runnable thread.
  void leave(Thread &T);
  void wake(Thread &T);
  void exit(Thread &T);
  /// Lets the threads at a barrier go if all have come.
  void release(uint32_t Id);
  void meet(Thread &T);
  void resolve(uint32_t WarpIndex, uint32_t MeetingIndex);
  void resolveInChecks(const Meeting &M, Thread *Lanes);
  void retryMeetings(uint32_t WarpIndex);
  /// Gives their mask to threads that ask for the active lanes, when nothing
  /// else can run: all lanes that wait at one place have converged.
  bool resolveActiveMasks();
  void reportDeadlock();
  void meetInChecks(uint32_t BarrierId);
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_SCHEDULER_H
