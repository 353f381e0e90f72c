//===- Facts.h - What the host must know of a derivative --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which memory does an emitted derivative read
// and write, and may it be run twice (kdiff/KernelFacts.h)?
//
// All is read off the derivative as emit leaves it: additions to shadows and
// accesses of the tape are abstract operations still, so that what is left is
// the primal's memory. What is not understood counts as everything.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_FACTS_H
#define KDIFF_EMIT_FACTS_H

#include "request/Request.h"

namespace kdiff {

/// Writes the facts about \p Derivative, which has the parameters of
/// Emitted::Gradient, to the variable *R.Facts.
void describe(const llvm::Function &Derivative, const Request &R);

} // namespace kdiff
#endif // KDIFF_EMIT_FACTS_H
