//===- Scheduler.cpp - One block after the other --------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which GPU thread runs next, and who waits for
// whom?
//
//===----------------------------------------------------------------------===//

#include "Scheduler.h"
#include "Signals.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include <cstring>

using namespace llvm;
using namespace kdiff::simt;

Thread *kdiff::simt::Current = nullptr;

Error Scheduler::run(const Launch &Launched) {
  L = &Launched;
  if (Error E = prepare())
    return E;
  {
    SignalGuard Guard(*this, L->Options.TimeoutSeconds);
    for (uint32_t Z = 0; Z < L->Grid.Z && !Failed; ++Z)
      for (uint32_t Y = 0; Y < L->Grid.Y && !Failed; ++Y)
        for (uint32_t X = 0; X < L->Grid.X && !Failed; ++X) {
          startBlock(X, Y, Z);
          runBlock();
        }
    Current = nullptr;
  }
  L = nullptr;
  if (Check && !Check->findings().empty()) {
    Failure = Check->findings() + (Failed ? "\n" : "") + Failure;
    Failed = true;
  }
  if (Failed)
    return createStringError(inconvertibleErrorCode(), Twine(Failure));
  return Error::success();
}

Error Scheduler::prepare() {
  const Dim3 &B = L->Block;
  uint32_t Count = B.X * B.Y * B.Z;
  Failed = TimedOut = false;
  Failure.clear();
  if (Error E = Stacks.reset(Count))
    return E;
  size_t SharedBytes = L->StaticShared + L->DynamicShared;
  if (Error E = Shared.reset(ReservedShared + SharedBytes))
    return E;
  Context = {{},
             {B.X, B.Y, B.Z},
             {L->Grid.X, L->Grid.Y, L->Grid.Z},
             static_cast<uint32_t>(SharedBytes),
             static_cast<uint32_t>(L->DynamicShared),
             Shared.data() + ReservedShared};
  Queue.start(Count, L->Options.Order, L->Options.Seed);
  Threads.assign(Count, Thread{});
  Warps.assign((Count + WarpSize - 1) / WarpSize, Warp{});
  for (uint32_t I = 0; I < Count; ++I) {
    Thread &T = Threads[I];
    T.Tid[0] = I % B.X;
    T.Tid[1] = I / B.X % B.Y;
    T.Tid[2] = I / B.X / B.Y;
    T.Lane = I % WarpSize;
    T.Warp = I / WarpSize;
    T.Linear = I;
    T.Block = &Context;
    T.Owner = this;
  }
  if (Check)
    return Check->startLaunch(*L);
  return Error::success();
}

void Scheduler::startBlock(uint32_t X, uint32_t Y, uint32_t Z) {
  Context.Ctaid[0] = X;
  Context.Ctaid[1] = Y;
  Context.Ctaid[2] = Z;
  // Quiet NaNs: a read before any write poisons what depends on it.
  memset(Shared.data(), 0, ReservedShared);
  memset(Context.Shared, 0xFF, Context.SharedBytes);
  for (Thread &T : Threads) {
    T.State = ThreadState::Fresh;
    T.Stack = -1;
  }
  Alive = Threads.size();
  for (uint32_t W = 0; W < Warps.size(); ++W) {
    uint32_t Lanes = std::min<uint32_t>(WarpSize, Alive - W * WarpSize);
    Warps[W].Alive = maskTrailingOnes<uint32_t>(Lanes);
    Warps[W].MeetingCount = 0;
  }
  for (Barrier &B : Barriers)
    B = Barrier{};
  OpenBarriers = 0;
  Queue.fill();
  if (Check)
    Check->startBlock((Z * L->Grid.Y + Y) * L->Grid.X + X);
}

void Scheduler::runBlock() {
  while (Alive && !Failed) {
    if (TimedOut)
      return reportDeadlock();
    if (Queue.empty() && !resolveActiveMasks())
      return reportDeadlock();
    Thread &T = Threads[Queue.pop()];
    resume(T);
    kdiff_simt_switch(&SchedulerStack, T.StackPointer);
  }
}

/// Makes \p T the running thread, on a stack of its own.
void Scheduler::resume(Thread &T) {
  if (T.State == ThreadState::Fresh) {
    T.Stack = Stacks.take();
    T.StackPointer = Stacks.enter(T.Stack, fiberMain);
    if (Check)
      Check->startThread(T);
  }
  T.State = ThreadState::Ready;
  Current = &T;
}

void Scheduler::fiberMain() {
  Scheduler &S = *Current->Owner;
  void *Dead;
  for (;;) {
    {
      KernelScope Running;
      S.L->Entry(S.L->Args);
    }
    Thread &T = *Current; // Not the first one, perhaps.
    int Stack = T.Stack;
    S.exit(T);
    if (S.Queue.empty() || S.TimedOut) {
      S.Stacks.giveBack(Stack);
      kdiff_simt_switch(&Dead, S.SchedulerStack);
    }
    Thread &Next = S.Threads[S.Queue.pop()];
    Current = &Next;
    if (Next.State == ThreadState::Fresh) {
      Next.State = ThreadState::Ready;
      Next.Stack = Stack;
      if (S.Check)
        S.Check->startThread(Next);
      continue;
    }
    S.Stacks.giveBack(Stack);
    Next.State = ThreadState::Ready;
    kdiff_simt_switch(&Dead, Next.StackPointer);
  }
}

void Scheduler::endThread(Thread &T) {
  int Stack = T.Stack;
  exit(T);
  // The stack can be entered anew although this code runs on it: entering
  // touches its very top only.
  Stacks.giveBack(Stack);
  void *Dead;
  if (Queue.empty() || TimedOut)
    kdiff_simt_switch(&Dead, SchedulerStack);
  Thread &Next = Threads[Queue.pop()];
  resume(Next);
  kdiff_simt_switch(&Dead, Next.StackPointer);
  llvm_unreachable("an ended thread was resumed");
}

void Scheduler::leave(Thread &T) {
  if (TimedOut)
    fail(T, "time-out");
  if (Queue.empty() && !resolveActiveMasks()) {
    reportDeadlock();
    kdiff_simt_switch(&T.StackPointer, SchedulerStack);
  }
  Thread &Next = Threads[Queue.pop()];
  if (&Next == &T) {
    T.State = ThreadState::Ready;
    return;
  }
  resume(Next);
  kdiff_simt_switch(&T.StackPointer, Next.StackPointer);
}

void Scheduler::wake(Thread &T) {
  T.State = ThreadState::Ready;
  Queue.push(T.Linear);
}

void Scheduler::yield(Thread &T) {
  if (TimedOut)
    fail(T, "time-out");
  if (Queue.empty())
    return;
  Queue.defer(T.Linear);
  leave(T);
}

void Scheduler::exit(Thread &T) {
  T.State = ThreadState::Done;
  T.Stack = -1;
  --Alive;
  Warp &W = Warps[T.Warp];
  W.Alive &= ~(1u << T.Lane);
  // Nobody waits for a thread that has left (PTX ISA 9.0, "barrier": it waits
  // for the warp's "non-exited threads").
  for (uint32_t Rest = OpenBarriers; Rest; Rest &= Rest - 1)
    if (uint32_t Id = countr_zero(Rest); !Barriers[Id].Needed)
      release(Id);
  if (W.MeetingCount)
    retryMeetings(T.Warp);
}

void Scheduler::release(uint32_t Id) {
  Barrier &B = Barriers[Id];
  if (B.Arrived < (B.Needed ? B.Needed : Alive))
    return;
  if (Check)
    meetInChecks(Id);
  for (Thread &T : Threads)
    if (T.State == ThreadState::AtBarrier && T.Mask == Id) {
      bool All = B.True == B.Arrived, Any = B.True != 0;
      BarrierOp Op{static_cast<BarrierOp>(T.Value)};
      T.Result = Op == BarrierOp::Popc  ? B.True
                 : Op == BarrierOp::And ? All
                                        : Any;
      wake(T);
    }
  B = Barrier{};
  OpenBarriers &= ~(1u << Id);
}

/// The threads at a barrier learn of each other's accesses.
void Scheduler::meetInChecks(uint32_t Id) {
  Together.clear();
  for (Thread &T : Threads)
    if (T.State == ThreadState::AtBarrier && T.Mask == Id)
      Together.push_back(&T);
  Check->meet(Together, Barriers[Id].Passed);
}

uint32_t Scheduler::barrier(Thread &T, uint32_t Id, uint32_t Count,
                            BarrierOp Op, bool Predicate, bool Aligned,
                            uint32_t Site) {
  if (Id >= BarrierCount)
    failAt(T, "barrier " + Twine(Id) + " does not exist", Site);
  Barrier &B = Barriers[Id];
  if (B.Arrived && B.Needed != Count)
    failAt(T,
           "threads meet at barrier " + Twine(Id) +
               " with different thread counts",
           Site);
  B.Needed = Count;
  ++B.Arrived;
  OpenBarriers |= 1u << Id;
  B.True += Predicate;
  if (Check && Aligned)
    for (uint32_t I = T.Warp * WarpSize; I < Threads.size(); ++I)
      if (const Thread &Other = Threads[I];
          Other.Warp == T.Warp && Other.State == ThreadState::AtBarrier &&
          Other.Mask == Id && Other.Site != Site)
        Check->divergentBarrier(T, Site, Other);
  if (Op == BarrierOp::Arrive) {
    if (Check)
      B.Passed.push_back(Check->arrive(T));
    release(Id);
    return 0;
  }
  T.State = ThreadState::AtBarrier;
  T.Mask = Id;
  T.Site = Site;
  T.Value = static_cast<uint64_t>(Op);
  release(Id);
  leave(T);
  return T.Result;
}

void Scheduler::print(const std::string &Text) {
  if (L->Printed)
    *L->Printed += Text;
  else
    fwrite(Text.data(), 1, Text.size(), stdout);
}

bool Scheduler::isIn(const void *Address, MemorySpace Space) const {
  bool InShared = Shared.contains(Address), InLocal = Stacks.contains(Address);
  switch (Space) {
  case MemorySpace::Shared:
    return InShared;
  case MemorySpace::Local:
    return InLocal;
  case MemorySpace::Constant:
    return false; // Constant variables live in global memory here.
  case MemorySpace::Global:
    break;
  }
  return !InShared && !InLocal;
}

std::string Scheduler::describe(const void *Address) const {
  if (Stacks.inGuard(Address))
    return "stack overflow";
  std::string Text = "illegal address 0x" +
                     utohexstr(reinterpret_cast<uintptr_t>(Address), true);
  if (std::string Near = Global.describe(Address); !Near.empty())
    Text += ", " + Near;
  return Text;
}

void Scheduler::timeOut() { TimedOut = true; }

static std::string triple(const uint32_t (&V)[3]) {
  return "(" + std::to_string(V[0]) + "," + std::to_string(V[1]) + "," +
         std::to_string(V[2]) + ")";
}

std::string Scheduler::name(const Thread &T) const { return triple(T.Tid); }

std::string Scheduler::nameInGrid(uint32_t Block, uint32_t Thread) const {
  const Dim3 &G = L->Grid;
  uint32_t Ctaid[3] = {Block % G.X, Block / G.X % G.Y, Block / G.X / G.Y};
  return "block " + triple(Ctaid) + ", thread " + name(Threads[Thread]);
}

const Thread *Scheduler::threadOnStack(int Stack) const {
  auto It = find_if(Threads, [&](const Thread &T) { return T.Stack == Stack; });
  return It == Threads.end() ? nullptr : &*It;
}

std::string Scheduler::where(const Thread &T) const {
  return "kernel '" + L->Kernel.str() + "', block " + triple(Context.Ctaid) +
         ", thread " + triple(T.Tid);
}

void Scheduler::fail(const Thread &T, const Twine &Message) {
  Failed = true;
  Failure = where(T) + ": " + Message.str();
  void *Dead;
  kdiff_simt_switch(&Dead, SchedulerStack);
  llvm_unreachable("an abandoned thread was resumed");
}

void Scheduler::failAt(const Thread &T, const Twine &Message, uint32_t Site) {
  fail(T, Message + " at " + L->Sites[Site]);
}

static const char *nameOf(WarpOp Op) {
  switch (Op) {
  case WarpOp::ShuffleIdx:
  case WarpOp::ShuffleUp:
  case WarpOp::ShuffleDown:
  case WarpOp::ShuffleBfly:
    return "shuffle";
  case WarpOp::Ballot:
  case WarpOp::Any:
  case WarpOp::All:
  case WarpOp::Uniform:
    return "vote";
  case WarpOp::MatchAny:
  case WarpOp::MatchAll:
    return "match";
  case WarpOp::Sync:
    return "warp barrier";
  case WarpOp::ActiveMask:
    return "active mask";
  case WarpOp::Elect:
    return "elect";
  default:
    return "warp reduction";
  }
}

void Scheduler::reportDeadlock() {
  struct Group {
    const Thread *First;
    unsigned Count;
  };
  MapVector<std::pair<uint64_t, uint64_t>, Group> Groups;
  const Thread *First = nullptr;
  for (const Thread &T : Threads) {
    uint64_t Key = T.State == ThreadState::AtWarpOp ? uint64_t(T.Op) : 0;
    bool Waits =
        T.State == ThreadState::AtWarpOp || T.State == ThreadState::AtBarrier;
    if (Waits && !First)
      First = &T;
    auto State = static_cast<uint64_t>(T.State);
    ++Groups
          .try_emplace(
              {State << 32 | Key, Waits ? uint64_t(T.Site) << 32 | T.Mask : 0},
              Group{&T, 0})
          .first->second.Count;
  }
  Failed = true;
  Failure = where(First ? *First : Threads[0]) +
            (TimedOut ? ": time-out" : ": deadlock");
  for (const auto &[Key, G] : Groups) {
    const Thread &T = *G.First;
    Failure += "\n  " + std::to_string(G.Count) + " thread(s) from " +
               triple(T.Tid) + " ";
    if (T.State == ThreadState::AtBarrier)
      Failure +=
          "wait at barrier " + std::to_string(T.Mask) + ", " + L->Sites[T.Site];
    else if (T.State == ThreadState::AtWarpOp)
      Failure += std::string("wait in a ") + nameOf(T.Op) + " for lanes 0x" +
                 utohexstr(T.Mask, true) + ", " + L->Sites[T.Site];
    else
      Failure += T.State == ThreadState::Done ? "have ended" : "can run";
  }
}
