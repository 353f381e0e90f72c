//===- Forward.h - Primal and tangents in one sweep ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is the forward-mode derivative of a
// prepared primal?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_FORWARD_H
#define KDIFF_EMIT_FORWARD_H

#include "emit/Callees.h"

namespace kdiff {

/// Puts the tangent of every active instruction of \p S behind it.
void emitForward(Subject &S, const Activity &A, const Shadows &Sh,
                 Callees &Calls);

} // namespace kdiff
#endif // KDIFF_EMIT_FORWARD_H
