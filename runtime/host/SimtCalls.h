//===- SimtCalls.h - CUDA's calls on the executor ---------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which function does each of the CUDA runtime's
// calls become on the executor?
//
// The functions have the runtime's names; their contracts are CUDA's.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_HOST_SIMTCALLS_H
#define KDIFF_HOST_SIMTCALLS_H

#include "host/Simt.h"

namespace kdiff::host::calls {

#define KD_ENTRY(Result, Name, Parameters, Arguments) Result Name Parameters;
#include "host/Entries.def"

} // namespace kdiff::host::calls

/// The back-end, locked.
#define KD_SIMT                                                                \
  ::kdiff::host::Simt &S = ::kdiff::host::Simt::get();                         \
  auto Locked = S.lock();

#endif // KDIFF_HOST_SIMTCALLS_H
