//===- Origins.h - Pointers in disguise, and who reads what ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does every pointer come from where its activity
// is known, and may a place be read as floating point?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_ORIGINS_H
#define KDIFF_ANALYSIS_ORIGINS_H

#include "analysis/Activity.h"

namespace kdiff {

/// Reports a pointer of \p I that floating point or pointers go through and
/// that comes from an integer, an aggregate or a call, and the address of
/// memory with a shadow that goes astray as an integer. True if there is none.
bool checkPointers(const llvm::Instruction &I, const Activity &A);

/// Floating point, or its bits, may be read in \p F from where \p Pointer leads
/// to. Two pointers that were loaded may be the same.
bool isReadAsFloat(const llvm::Value *Pointer, const llvm::Function &F,
                   const Activity &A);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_ORIGINS_H
