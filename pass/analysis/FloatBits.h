//===- FloatBits.h - Integers that carry floating-point bits ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which integer values are floating-point values
// on their way (copies, unions, packed halves of a 64-bit move), and of which
// type?
//
// Only moves are followed: bitcasts, phis, selects, loads and stores of places
// that hold floating point, and packs made of trunc, zext, shifts by whole
// elements and or. Arithmetic ends the trail: nothing is carried through it.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_FLOATBITS_H
#define KDIFF_ANALYSIS_FLOATBITS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

namespace llvm {
class Function;
class Instruction;
class Type;
class Value;
} // namespace llvm

namespace kdiff {

class FloatPlaces;

class FloatBits {
public:
  /// Places that integers with such bits are read from or written to hold
  /// floating point as well: \p Places learns of them.
  FloatBits(const llvm::Function &F, FloatPlaces &Places);

  /// The type of the floating-point value whose bits the integer (or vector of
  /// integers) \p V has: a scalar, or a vector where it holds several. Null
  /// for ordinary integers and for all other types.
  llvm::Type *carried(const llvm::Value *V) const;

private:
  bool note(const llvm::Value *V, llvm::Type *Scalar);
  llvm::Type *scalarOf(const llvm::Value *V) const;
  bool visit(const llvm::Instruction &I, const FloatPlaces &Places);
  bool unify(const llvm::Instruction &I, llvm::ArrayRef<const llvm::Value *> Others);

  llvm::DenseMap<const llvm::Value *, llvm::Type *> Scalars;
};

/// For `shl`/`lshr` by a constant: the distance in bits if that is a multiple
/// of \p Element bits; -1 otherwise.
int shiftInElements(const llvm::Instruction &I, unsigned Element);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_FLOATBITS_H
