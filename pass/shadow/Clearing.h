//===- Clearing.h - Who clears shadows in shared memory --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: do all threads of the block come to the place
// where they clear the shadows in shared memory together?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SHADOW_CLEARING_H
#define KDIFF_SHADOW_CLEARING_H

#include "shadow/Shadows.h"

namespace kdiff {

/// Reports a gradient that must clear shadows in shared memory, between
/// barriers, and that some threads may not call: neither does the primal wait
/// for all of the block (Subject::SameBarriers), nor does every thread pass
/// \p Call exactly once. True if there is nothing to report.
bool checkClearing(const Subject &S, const Shadows &Sh,
                   const llvm::CallBase &Call);

} // namespace kdiff
#endif // KDIFF_SHADOW_CLEARING_H
