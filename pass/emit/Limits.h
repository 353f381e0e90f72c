//===- Limits.h - The half of dynamic shared memory ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is a launch noticed that gave the primal's
// amount of dynamic shared memory, and not twice as much?
//
// The second half is the shadow of the first. Nothing on the device tells how
// much the primal needs, but what it needs it writes: each of its writes is to
// end within the first half.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_LIMITS_H
#define KDIFF_EMIT_LIMITS_H

#include "shadow/Shadows.h"

namespace kdiff {

/// Puts a test in front of every write of the primal to dynamic shared memory
/// that has a shadow. Before anything of the derivative is emitted.
void limitDynamicShared(Subject &S, const Shadows &Sh);

} // namespace kdiff
#endif // KDIFF_EMIT_LIMITS_H
