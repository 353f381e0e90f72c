//===- Memory.h - What memory an access may touch, and its type -*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which objects may a pointer point into, may
// two accesses of one object overlap, and is there floating point at a place?
//
// Pointers are opaque, so the accesses tell the types: a place that is loaded
// or stored as floating point somewhere in the function holds floating point.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_MEMORY_H
#define KDIFF_ANALYSIS_MEMORY_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <cstdint>
#include <optional>

namespace llvm {
class CallBase;
class DataLayout;
class Function;
class Instruction;
class Type;
class Value;
} // namespace llvm

namespace kdiff {

/// The objects that \p Pointer may point into: allocas, arguments, globals,
/// loads and calls that return pointers, null. In a deterministic order.
llvm::SmallVector<const llvm::Value *, 4>
underlyingObjects(const llvm::Value *Pointer);

/// True if nothing is accessed through \p Object: it is null or undefined.
bool isNowhere(const llvm::Value *Object);

/// Bytes [Offset, Offset + Size) of Object, modulo Stride (0: exactly there).
/// They also lie within [Offset, Offset + Extent + Size), modulo Outer: what is
/// indexed in an array of a known length stays within it, as C++ demands.
struct Place {
  const llvm::Value *Object = nullptr;
  int64_t Offset = 0;
  uint64_t Size = 0;
  uint64_t Stride = 0;
  uint64_t Extent = 0, Outer = 0;

  static Place anywhere(const llvm::Value *Object, uint64_t Size) {
    return {Object, 0, Size, 1, 0, 1};
  }
};

/// Nothing where the pointer has several objects.
std::optional<Place> placeOf(const llvm::Value *Pointer, uint64_t Size,
                             const llvm::DataLayout &DL);
bool mayOverlap(const Place &A, const Place &B);

/// The address that \p I loads from, stores to or updates; null for others.
const llvm::Value *accessedPointer(const llvm::Instruction &I);
/// The type of the value that \p I loads, stores or adds; null for others.
llvm::Type *accessedType(const llvm::Instruction &I);

/// The floating-point accesses of a function, by object.
class FloatPlaces {
public:
  explicit FloatPlaces(const llvm::Function &F);

  /// The integer that \p I loads or stores has the bits of numbers of type
  /// \p Scalar. True if that was not known.
  bool learn(const llvm::Instruction &I, llvm::Type *Scalar);

  /// The scalar floating-point type that some access gives to the first bytes
  /// of \p Pointer's place, or null where no access does.
  llvm::Type *typeAt(const llvm::Value *Pointer, uint64_t Size,
                     bool SkipCarved = true) const;
  /// A floating-point type that some access gives to a part of the place of
  /// \p Pointer, and that an access of type \p T does not fit: another
  /// floating-point type, or wider than an integer of T. Null where none does.
  /// With \p SkipCarved not where arrays of shared memory begin apart
  /// (Carved.h).
  llvm::Type *clashAt(const llvm::Value *Pointer, llvm::Type *T,
                      bool SkipCarved) const;
  /// The one scalar type of all accesses of the object(s) of \p Pointer; null
  /// where there is none, or where integers or pointers are accessed too.
  llvm::Type *onlyTypeOf(const llvm::Value *Pointer) const;
  /// True if any access of the object is of floating point.
  bool hasFloat(const llvm::Value *Object) const;
  /// True if the object is read, or written, as floating point.
  bool isLoaded(const llvm::Value *Object) const;

private:
  struct Access {
    Place P;
    llvm::Type *Scalar; ///< Null: not floating point.
    bool Loads;
    const llvm::Instruction *I;
  };
  /// The scalar type of an access that overlaps and is \p Wanted, given the
  /// place of \p Pointer.
  llvm::Type *find(const llvm::Value *Pointer, uint64_t Size,
                   llvm::function_ref<bool(const Access &)> Wanted) const;
  const llvm::DataLayout &DL;
  llvm::DenseMap<const llvm::Value *, llvm::SmallVector<Access, 4>> ByObject;
};

/// True if \p P and \p Q may lead into one object, in whichever threads: unless
/// their address spaces, or what the objects are, say otherwise.
bool mayShareObject(const llvm::Value *P, const llvm::Value *Q);

/// True if \p Pointer may lead to local memory.
bool mayBeLocal(const llvm::Value *Pointer);
/// True if \p Pointer may lead to memory that is gone in another launch: local
/// or shared.
bool endsWithLaunch(const llvm::Value *Pointer);

/// True if the function that \p CB calls, or one that this calls, may write an
/// object that \p Matters: a variable, or what an argument or a loaded pointer
/// of that function leads to. Where nothing is known, \p CB itself is asked
/// for.
bool mayWrite(const llvm::CallBase &CB,
              llvm::function_ref<bool(const llvm::Value *)> Matters);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_MEMORY_H
