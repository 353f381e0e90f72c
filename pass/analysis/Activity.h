//===- Activity.h - What depends on inputs and reaches outputs --*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which values have an adjoint (or a tangent),
// and which pointers lead to memory that has a shadow?
//
// Varied: depends on a differentiated input. Useful: something differentiated
// depends on it. Active: both. (Hascoet and Pascual, "The Tapenade automatic
// differentiation tool", ACM TOMS 39(3), 2013, section 4.)
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_ACTIVITY_H
#define KDIFF_ANALYSIS_ACTIVITY_H

#include "analysis/FloatBits.h"
#include "analysis/Memory.h"
#include "request/Request.h"
#include "llvm/ADT/DenseSet.h"

namespace llvm {
class AllocaInst;
class Argument;
class CallBase;
} // namespace llvm

namespace kdiff {

class Activity {
public:
  /// \p F is in canonical form; \p Args has one entry a formal argument;
  /// \p Result is what the primal returns, or null. \p OwnsLaunch: the threads
  /// do nothing behind the derivative.
  Activity(const llvm::Function &F, llvm::ArrayRef<ArgActivity> Args,
           const llvm::Value *Result, bool OwnsLaunch = false);

  bool isVaried(const llvm::Value *V) const { return Varied.contains(V); }
  /// V has an adjoint slot (reverse) or a tangent (forward).
  bool isActive(const llvm::Value *V) const {
    return Varied.contains(V) && Useful.contains(V);
  }
  /// An integer computed by arithmetic from the bits of a varied value.
  bool isDerivedFromBits(const llvm::Value *V) const {
    return Derived.contains(V);
  }
  /// An integer read from memory with a shadow, at a place of unknown type, or
  /// computed from one. (Half precision travels so: CUDA's headers compute
  /// with it in inline assembly on i16.)
  bool isOpaque(const llvm::Value *V) const { return Opaque.contains(V); }
  /// \p P may point to memory that has a shadow.
  bool isActivePointer(const llvm::Value *P) const;
  /// \p P may also point to memory that has none: its shadow may be null.
  bool isMixedPointer(const llvm::Value *P) const;
  bool isActiveObject(const llvm::Value *Object) const;
  /// \p V is or contains floating point, or carries its bits.
  bool canBeVaried(const llvm::Value *V) const;

  /// The type of \p V's adjoint: V's own, or of the floating-point value
  /// whose bits the integer V carries. Null for ordinary integers.
  llvm::Type *adjointType(const llvm::Value *V) const;

  /// True if a store of \p Stored to \p Pointer concerns the derivative.
  bool isActiveStore(const llvm::Value *Stored,
                     const llvm::Value *Pointer) const;

  /// False for a barrier of the block that nothing of the reverse sweep needs:
  /// between it and the next one that is passed there, no thread touches what
  /// another one may wait for.
  bool isMirrored(const llvm::CallBase &Barrier) const {
    return !Idle.contains(&Barrier);
  }

  const FloatPlaces &places() const { return Places; }
  const FloatBits &bits() const { return Bits; }

  void print(llvm::raw_ostream &OS) const;

private:
  bool anyActive(llvm::SmallVector<const llvm::Value *, 4> Objects) const;
  bool isVariedResult(const llvm::Instruction &I) const;
  bool isVariedCall(const llvm::CallBase &CB) const;
  bool activateObjects(const llvm::Instruction &I);
  bool activate(const llvm::Value *Pointer);
  bool spreadDerived(const llvm::Instruction &I);
  bool spreadOpaque(const llvm::Instruction &I);
  void spreadVaried();
  void spreadUseful(const llvm::Value *Result);
  void seedUseful(const llvm::Instruction &I,
                  llvm::SmallVectorImpl<const llvm::Value *> &Work) const;
  void findIdleBarriers(bool OwnsLaunch);

  const llvm::Function &F;
  llvm::SmallVector<ArgActivity, 8> Args;
  FloatPlaces Places;
  FloatBits Bits;
  llvm::DenseSet<const llvm::Value *> Varied, Useful, Derived, Opaque;
  llvm::DenseSet<const llvm::Value *> ActiveObjects;
  llvm::DenseSet<const llvm::CallBase *> Idle; ///< Barriers.
};

/// The operands of \p I that its result depends on with a derivative, given a
/// rule or a move (phi, select, casts of bits, aggregates, vectors).
llvm::SmallVector<const llvm::Value *, 4>
differentiableOperands(const llvm::Instruction &I);

/// True if \p T is or contains a floating-point type.
bool containsFloat(const llvm::Type *T);
/// True if \p T is or contains a pointer type.
bool containsPointer(const llvm::Type *T);

} // namespace kdiff
#endif // KDIFF_ANALYSIS_ACTIVITY_H
