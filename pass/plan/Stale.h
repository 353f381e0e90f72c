//===- Stale.h - Addresses that outlive their memory -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which addresses of the forward sweep mean
// nothing any more when the reverse sweep runs?
//
// The two sweeps of a function that stays a call have a stack frame each; those
// of split mode, being two launches, have shared memory of their own too. An
// address within it can be computed again, but not be kept.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_STALE_H
#define KDIFF_PLAN_STALE_H

#include "shadow/Subject.h"

namespace kdiff {

struct Plan;

/// True if \p V may be such an address.
bool isStaleAddress(const llvm::Value *V, const Subject &S);

/// False, and reported, if \p P keeps one on the tape.
bool checkTape(const Plan &P, const Subject &S);

} // namespace kdiff
#endif // KDIFF_PLAN_STALE_H
