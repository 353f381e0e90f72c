//===- Signals.h - Faults and time-outs become errors ----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a fault in a kernel end the launch
// and not the process?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_SIGNALS_H
#define KDIFF_SIMT_SIGNALS_H

#include <csignal>
#include <ctime>

namespace kdiff::simt {

class Scheduler;

/// Whether the code that runs is a kernel's, not the runtime's: kernel code
/// holds no lock and owns nothing, so it can be abandoned anywhere.
extern volatile std::sig_atomic_t InKernel;

struct KernelScope {
  KernelScope() { InKernel = 1; }
  ~KernelScope() { InKernel = 0; }
};

/// The other way round, for what kernel code calls. A thread may leave its
/// fiber meanwhile; whoever runs next sets the flag for itself.
struct RuntimeScope {
  RuntimeScope() { InKernel = 0; }
  ~RuntimeScope() { InKernel = 1; }
};

/// While one lives, faults are reported as errors of the running thread, and
/// the launch ends after \p TimeoutSeconds (0: never). What was installed
/// before is put back at the end. One at a time.
class SignalGuard {
public:
  SignalGuard(Scheduler &S, unsigned TimeoutSeconds);
  SignalGuard(const SignalGuard &) = delete;
  SignalGuard &operator=(const SignalGuard &) = delete;
  ~SignalGuard();

private:
  static constexpr int Caught[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGVTALRM};
  static constexpr unsigned CaughtCount = sizeof(Caught) / sizeof(*Caught);
  struct sigaction Previous[CaughtCount];
  stack_t PreviousStack;
  timer_t Timer;
  bool HasTimer = false;
  unsigned ControlWord; ///< Of the SSE unit.

  static void handle(int Signal, siginfo_t *Info, void *);
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_SIGNALS_H
