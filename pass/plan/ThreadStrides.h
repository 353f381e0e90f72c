//===- ThreadStrides.h - Addresses as multiples of an index ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: by how much does an address grow with a thread's
// index in its block?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_THREADSTRIDES_H
#define KDIFF_PLAN_THREADSTRIDES_H

#include "llvm/IR/Intrinsics.h"
#include <optional>

namespace llvm {
class SCEV;
class ScalarEvolution;
class Value;
} // namespace llvm

namespace kdiff {

/// The register of a thread's index along a row of the block, or a column.
llvm::Intrinsic::ID indexAlong(bool Y);

/// Whether it is read there.
bool isRegister(const llvm::Value *V, llvm::Intrinsic::ID Register);
bool isRegister(const llvm::SCEV *E, llvm::Intrinsic::ID Register);

/// An address as a multiple of a thread's index, and a rest of that many
/// trailing zero bits, counted from its array's beginning.
struct Linear {
  int64_t Stride = 0; ///< In bytes.
  unsigned Zeros = 64;
};

/// \p E as a multiple of the register \p Index and a rest without it; nothing
/// where it is not known to be that.
std::optional<Linear> linearIn(const llvm::SCEV *E, llvm::Intrinsic::ID Index,
                               llvm::ScalarEvolution &SE);

} // namespace kdiff
#endif // KDIFF_PLAN_THREADSTRIDES_H
