//===- Carved.h - Arrays of several types in one block ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where does the array begin that an access to
// shared memory is indexed into?
//
//   extern __shared__ double memory[];
//   int *flags = (int *)(memory + 2 * blockDim.x);   // begins there
//   flags[threadIdx.x] = ...;
//
// Nothing tells how long such arrays are, and so whether accesses that begin at
// different addresses meet: that is tested when they are made (emit/Carved.h).
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_CARVED_H
#define KDIFF_ANALYSIS_CARVED_H

#include "llvm/ADT/StringRef.h"

namespace llvm {
class Value;
} // namespace llvm

namespace kdiff {

/// The attribute of an argument that is the same in every thread of the grid.
inline constexpr llvm::StringLiteral UniformAttribute = "kdiff.uniform";

/// What \p Pointer is derived from: the last address on the way from the block
/// of shared memory to it that is the same for all threads of the block and all
/// times, and made of constants, arguments that are the same for the grid, and
/// the launch's dimensions. Null where there is no such way.
llvm::Value *beginningOf(const llvm::Value *Pointer);

/// True if \p P and \p Q are indexed into one block of shared memory from
/// different beginnings.
bool beginApart(const llvm::Value *P, const llvm::Value *Q);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_CARVED_H
