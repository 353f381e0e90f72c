//===- Runtime.cpp - What lowered code calls ------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do barriers, warp operations, the heap and
// the other services of the device reach the scheduler?
//
// A RuntimeScope must not own anything: a thread may leave its fiber for good
// in any of these calls.
//
//===----------------------------------------------------------------------===//

#include "Runtime.h"
#include "Scheduler.h"
#include "Signals.h"
#include <chrono>
#include <cstdlib>
#include <x86intrin.h>

using namespace llvm;
using namespace kdiff::simt;

/// Threads are not preempted, so one that polls memory for another's store has
/// to let it run now and then.
static constexpr int32_t PollsPerTurn = 64;

static Scheduler &owner() { return *Current->Owner; }

static uint32_t barrier(Thread *T, uint32_t Id, uint32_t Count, uint32_t Op,
                        uint32_t Predicate, uint32_t Aligned, uint32_t Site) {
  RuntimeScope Scope;
  return T->Owner->barrier(*T, Id, Count, static_cast<BarrierOp>(Op), Predicate,
                           Aligned, Site);
}

static uint64_t warp(Thread *T, uint32_t Op, uint32_t Mask, uint64_t Value,
                     uint32_t Offset, uint32_t Clamp, uint32_t Site) {
  RuntimeScope Scope;
  Checker *Check = T->Owner->checker();
  // Value is the fourth argument.
  T->Undefined = Check ? Check->undefinedState(*T).Argument[3] : 0;
  uint64_t Result = T->Owner->warp(*T, static_cast<WarpOp>(Op), Mask, Value,
                                   Offset, Clamp, Site);
  if (Check)
    Check->undefinedState(*T).Result[0] = T->Undefined;
  return Result;
}

static void yield(Thread *T) {
  RuntimeScope Scope;
  T->Owner->yield(*T);
}

static void poll(Thread *T) {
  if (--T->Patience > 0)
    return;
  T->Patience = PollsPerTurn;
  yield(T);
}

static void trap(Thread *T, uint32_t Site) {
  RuntimeScope Scope;
  T->Owner->failAt(*T, "trap", Site);
}

static void pureVirtualCall() {
  RuntimeScope Scope;
  owner().fail(*Current, "call of a pure virtual function");
}

static void exitThread(Thread *T) {
  RuntimeScope Scope;
  T->Owner->endThread(*T);
}

static uint32_t isIn(Thread *T, const void *Address, uint32_t Space) {
  return T->Owner->isIn(Address, static_cast<MemorySpace>(Space));
}

/// The place of the set bit of \p Mask that is number |\p Offset| from \p Base,
/// itself the first, upwards or (\p Offset < 0) downwards; for 0, \p Base if
/// it is set. Without one all bits are set (PTX ISA, "fns").
static uint32_t findNthSet(uint32_t Mask, uint32_t Base, int32_t Offset) {
  int64_t Rest = Offset == 0 ? 1 : std::abs(int64_t(Offset));
  int Step = Offset < 0 ? -1 : 1;
  for (int64_t Place = Base; Place >= 0 && Place < 32; Place += Step) {
    if (Mask >> Place & 1 && --Rest == 0)
      return Place;
    if (Offset == 0)
      break;
  }
  return ~0u;
}

static uint64_t clockCycles() { return __rdtsc(); }

static uint64_t globalTimer() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

static int32_t printFormatted(const char *Format, const char *Arguments) {
  int Count = 0;
  RuntimeScope Scope;
  owner().print(formatPrintf(Format, Arguments, Count));
  return Count;
}

static void assertFail(const char *Message, const char *File, uint32_t Line,
                       const char *Function, uint64_t) {
  RuntimeScope Scope;
  owner().fail(*Current, Twine("assertion '") + Message + "' failed at " +
                             File + ":" + Twine(Line) + " in " + Function);
}

static void *heapAllocate(uint64_t Bytes) {
  RuntimeScope Scope;
  void *Pointer =
      owner().global().allocate(Bytes, "device heap", Arena::Owner::Kernel);
  if (Checker *Check = owner().checker(); Check && Pointer)
    Check->onAllocate(Pointer, Bytes);
  return Pointer;
}

static void heapFree(void *Pointer) {
  RuntimeScope Scope;
  if (Pointer && !owner().global().free(Pointer, Arena::Owner::Kernel))
    owner().fail(*Current,
                 "free of 0x" +
                     Twine::utohexstr(reinterpret_cast<uintptr_t>(Pointer)) +
                     ", which malloc did not return");
  if (Checker *Check = owner().checker())
    Check->onFree();
}

template <class F> static void *address(F *Function) {
  return reinterpret_cast<void *>(Function);
}

void kdiff::simt::addRuntimeSymbols(SymbolList &Symbols) {
  Symbols.insert(Symbols.end(),
                 {{"kdiff_simt_current", &Current},
                  {"kdiff_simt_barrier", address(barrier)},
                  {"kdiff_simt_warp", address(warp)},
                  {"kdiff_simt_yield", address(yield)},
                  {"kdiff_simt_poll", address(poll)},
                  {"kdiff_simt_trap", address(trap)},
                  {"kdiff_simt_exit", address(exitThread)},
                  {"kdiff_simt_is_in", address(isIn)},
                  {"kdiff_simt_fns", address(findNthSet)},
                  {"kdiff_simt_clock", address(clockCycles)},
                  {"kdiff_simt_globaltimer", address(globalTimer)},
                  {"kdiff_simt_vprintf", address(printFormatted)},
                  {"kdiff_simt___assertfail", address(assertFail)},
                  {"kdiff_simt___cxa_pure_virtual", address(pureVirtualCall)},
                  {"kdiff_simt_malloc", address(heapAllocate)},
                  {"kdiff_simt_free", address(heapFree)}});
}
