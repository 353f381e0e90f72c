//===- Punning.h - Memory that is accessed as several types ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: is a floating-point number in memory ever read
// or written in parts, or as one of another width?
//
// The shadow of a double holds a double: an access to the half of it as an
// integer, or as a float, has no adjoint. (Whole numbers as integers are
// fine: FloatBits.)
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_PUNNING_H
#define KDIFF_ANALYSIS_PUNNING_H

#include "analysis/Activity.h"
#include "llvm/ADT/SetVector.h"

namespace kdiff {

/// Reports an access of \p I to memory with a shadow, at a place that other
/// accesses take for floating point of another size. In shared memory, of
/// which kernels carve arrays of several types, only what is copied from or
/// to such a place is: accesses of different types do not meet there, by the
/// rules of C++. Copies are refused but where the arrays begin apart. True if
/// there is none.
bool checkPunning(const llvm::Instruction &I, const Activity &A);

/// The blocks of shared memory of which copies were not refused since arrays
/// begin apart.
llvm::SmallSetVector<const llvm::Value *, 2>
blocksToldApart(const llvm::Function &F, const Activity &A);

/// True if the accesses \p X and \p Y of memory take it for numbers of
/// different types, or one of them takes it for no numbers.
bool areOfDifferentTypes(const llvm::Instruction &X, const llvm::Instruction &Y,
                         const Activity &A);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_PUNNING_H
