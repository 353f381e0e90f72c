//===- BitTrace.h - Where the bits of a value come from ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which bit of which other value is each bit of a
// value, if it is one?
//
// Followed through what only moves bits or sets them: casts between integers
// and floating point of one size, extensions, truncations, shifts by constants,
// bitwise operations with constants or of disjoint bits, vector elements.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PREPARE_BITTRACE_H
#define KDIFF_PREPARE_BITTRACE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class Instruction;
class Value;
} // namespace llvm

namespace kdiff {

/// One bit: bit Position of Source, or its opposite; a constant where Source
/// is null.
struct Bit {
  llvm::Value *Source = nullptr;
  unsigned Position = 0;
  bool IsFlipped = false; ///< Of a constant: it is one.

  bool isZero() const { return !Source && !IsFlipped; }
  bool isOne() const { return !Source && IsFlipped; }
  bool operator==(const Bit &) const = default;
};
using BitList = llvm::SmallVector<Bit, 64>;

/// True if \p Bits are bits of one value, in their order, unchanged.
bool isRun(llvm::ArrayRef<Bit> Bits);

class BitTracer {
public:
  /// The bits of \p V, lowest first; empty where V is of no type of a known
  /// size, or is wider than 128 bits.
  const BitList &of(llvm::Value *V);

private:
  BitList trace(llvm::Value *V);
  BitList throughOperator(llvm::Instruction &I, unsigned Width);
  BitList throughShift(llvm::Instruction &I, unsigned Width);
  BitList throughLogic(llvm::Instruction &I, unsigned Width);
  /// fneg and fabs: \p Change is what happens to each sign bit.
  BitList throughSign(llvm::Instruction &I,
                      llvm::function_ref<Bit(Bit)> Change);
  BitList throughElement(llvm::Instruction &I);

  llvm::DenseMap<llvm::Value *, BitList> Known;
};

} // namespace kdiff
#endif // KDIFF_PREPARE_BITTRACE_H
