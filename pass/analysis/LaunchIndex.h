//===- LaunchIndex.h - A thread's place in the launch ----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which values are a thread's index among all
// threads of the launch, and who asks for its place in any other way?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_LAUNCHINDEX_H
#define KDIFF_ANALYSIS_LAUNCHINDEX_H

#include "llvm/IR/Intrinsics.h"
#include <array>
#include <optional>

namespace llvm {
class CallBase;
class Function;
class Value;
} // namespace llvm

namespace kdiff {

/// Dimensions of a launch: x, y, z.
inline constexpr unsigned Dimensions = 3;

/// The special registers of a dimension.
struct IndexRegisters {
  llvm::Intrinsic::ID Thread; ///< threadIdx
  llvm::Intrinsic::ID Block;  ///< blockIdx
  llvm::Intrinsic::ID Size;   ///< blockDim
  llvm::Intrinsic::ID Blocks; ///< gridDim
};
const IndexRegisters &indexRegisters(unsigned Dimension);

/// The dimension of which \p V is the index, as an i32: blockIdx * blockDim +
/// threadIdx; nothing for other values.
std::optional<unsigned> launchIndex(const llvm::Value *V);

/// True if \p CB reads a special register that differs between threads of a
/// launch, other than threadIdx and blockIdx.
bool isOtherThreadRegister(const llvm::CallBase &CB);

/// True if \p CB reads a special register that is the same in all threads whose
/// indices differ in those dimensions alone for which \p Differs is set.
bool isSameRegister(const llvm::CallBase &CB,
                    const std::array<bool, Dimensions> &Differs);

/// True if \p F reads threadIdx or blockIdx of \p Dimension for something else
/// than the launch's index.
bool usesPartsOfIndex(const llvm::Function &F, unsigned Dimension);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_LAUNCHINDEX_H
