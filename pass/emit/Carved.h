//===- Carved.h - Tests that arrays of one block lie apart -----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is a launch noticed in which arrays of
// different types, carved from one block of shared memory, overlap?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_CARVED_H
#define KDIFF_EMIT_CARVED_H

#include "analysis/Activity.h"
#include "shadow/Subject.h"

namespace kdiff {

/// Puts a test in front of the accesses that the analysis has taken to be apart
/// (checkPunning). Before anything of the derivative is emitted.
void keepArraysApart(Subject &S, const Activity &A);

} // namespace kdiff
#endif // KDIFF_EMIT_CARVED_H
