//===- Messages.h - Values that threads hand on by flags -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: may a differentiated value pass from thread to
// thread in an order that the reverse sweep does not mirror?
//
// Barriers order threads, and are mirrored. A flag (an atomic operation or a
// volatile load whose result is looked at) orders those who look at it behind
// those who set it; in the reverse sweep nobody waits for the other direction,
// so that a thread may read an adjoint before it is complete. That takes a
// reader of a flag, and either a fence between the value and the flag (CUDA
// C++ Programming Guide, "Memory Fence Functions") or a loop that waits for
// the flag, as a lock does.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_MESSAGES_H
#define KDIFF_ANALYSIS_MESSAGES_H

#include "analysis/Activity.h"

namespace kdiff {

/// Reports every fence and every waiting loop of \p F by which a
/// differentiated value may pass; true if there is none. For reverse mode:
/// tangents travel beside their values.
bool checkMessages(const llvm::Function &F, const Activity &A);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_MESSAGES_H
