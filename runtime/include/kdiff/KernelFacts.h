//===- KernelFacts.h - What the host must know of a derivative -*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which memory does a derivative read and write,
// and may it be run twice?
//
// The pass writes it into the variable that a request names with kd_facts; a
// host program reads it from there, and decides what it must keep between the
// launch of a kernel and its reverse sweep (kdiff/launches.h). Plain C++.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_KERNELFACTS_H
#define KDIFF_KERNELFACTS_H

namespace kdiff {

constexpr unsigned KernelFactsVersion = 1;
constexpr unsigned MaxFactArgs = 64;
/// The tape's size is known only when the kernel runs.
constexpr unsigned long long UnknownTapeBytes = ~0ull;

/// Of a whole derivative.
enum KernelFact : unsigned {
  /// It reads memory that no pointer argument leads to directly: device
  /// variables, pointers that lie in memory or in structs.
  ReadsElsewhere = 1,
  WritesElsewhere = 2, ///< The same; or has another effect, such as printf.
  /// Another run may do something else: an atomic operation's old value is
  /// used, sums of atomic additions are read back, a clock is.
  NotDeterministic = 4,
  UsesTape = 8
};
/// Of the memory that a pointer argument leads to (not of its shadow).
enum ArgFact : unsigned char { Reads = 1, Writes = 2 };

struct KernelFacts {
  unsigned Version; ///< 0: not compiled with KDiff's plugin.
  unsigned Flags;   ///< KernelFact.
  /// What a thread pushes at most, or UnknownTapeBytes.
  unsigned long long TapeBytes;
  /// ArgFact, for each argument of the primal in order.
  unsigned char Args[MaxFactArgs];
};

} // namespace kdiff
#endif // KDIFF_KERNELFACTS_H
