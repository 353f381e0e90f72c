//===- Signals.cpp - Faults and time-outs become errors -------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a fault in a kernel end the launch
// and not the process?
//
//===----------------------------------------------------------------------===//

#include "Signals.h"
#include "Scheduler.h"
#include <sys/syscall.h>
#include <unistd.h>
#include <xmmintrin.h>

using namespace kdiff::simt;

volatile std::sig_atomic_t kdiff::simt::InKernel = 0;

static Scheduler *Active = nullptr;
/// Faults are handled here: the fiber's own stack may be what overflowed.
static char HandlerStack[256 << 10];

static const char *describe(int Signal, int Code) {
  if (Signal == SIGFPE)
    return "integer division by zero or overflow";
  if (Signal == SIGILL)
    return "execution of code that is unreachable";
  return Code == BUS_ADRALN ? "misaligned address" : "bad address";
}

void SignalGuard::handle(int Signal, siginfo_t *Info, void *) {
  Thread *T = Current;
  if (Signal == SIGVTALRM) {
    Active->timeOut();
    // The runtime polls; a kernel that never calls it is stopped right here.
    if (T && InKernel)
      Active->fail(*T, "time-out");
    return;
  }
  if (!T) { // The executor's own fault.
    signal(Signal, SIG_DFL);
    raise(Signal);
    return;
  }
  InKernel = 0;
  // Leaving a handler by a switch is sound: SA_NODEFER blocks no signal, and
  // the next one finds the handler's stack free.
  if (Signal == SIGSEGV || Signal == SIGBUS)
    Active->fail(*T, Active->describe(Info->si_addr));
  Active->fail(*T, describe(Signal, Info->si_code));
}

SignalGuard::SignalGuard(Scheduler &S, unsigned TimeoutSeconds) {
  Active = &S;
  // Kernels expect rounding to nearest and subnormal numbers.
  ControlWord = _mm_getcsr();
  _mm_setcsr(_MM_MASK_MASK);
  stack_t Stack = {};
  Stack.ss_sp = HandlerStack;
  Stack.ss_size = sizeof(HandlerStack);
  sigaltstack(&Stack, &PreviousStack);
  struct sigaction Action = {};
  Action.sa_sigaction = handle;
  Action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  for (unsigned I = 0; I < CaughtCount; ++I)
    sigaction(Caught[I], &Action, &Previous[I]);
  if (!TimeoutSeconds)
    return;
  sigevent Event = {};
  Event.sigev_notify = SIGEV_THREAD_ID;
  Event.sigev_signo = SIGVTALRM;
  Event._sigev_un._tid = static_cast<pid_t>(syscall(SYS_gettid));
  HasTimer = timer_create(CLOCK_MONOTONIC, &Event, &Timer) == 0;
  if (!HasTimer)
    return;
  // Repeats, as the first one may find the runtime at work.
  itimerspec Spec = {};
  Spec.it_value.tv_sec = TimeoutSeconds;
  Spec.it_interval.tv_nsec = 20'000'000;
  timer_settime(Timer, 0, &Spec, nullptr);
}

SignalGuard::~SignalGuard() {
  if (HasTimer)
    timer_delete(Timer);
  for (unsigned I = 0; I < CaughtCount; ++I)
    sigaction(Caught[I], &Previous[I], nullptr);
  sigaltstack(&PreviousStack, nullptr);
  _mm_setcsr(ControlWord);
  Active = nullptr;
}
