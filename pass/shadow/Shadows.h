//===- Shadows.h - The twin of every active pointer ------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: at which address does the derivative of a
// memory location lie, in each lane?
//
// Shadow pointers mirror pointer arithmetic: a GEP, cast, phi, select or load
// of an active pointer has a twin on the shadows. The twins are put into the
// primal as ordinary instructions next to what they mirror, so that the plan
// can recompute, reload or tape them like any other value.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SHADOW_SHADOWS_H
#define KDIFF_SHADOW_SHADOWS_H

#include "analysis/Activity.h"
#include "shadow/Subject.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class LoadInst;
class PHINode;
} // namespace llvm

namespace kdiff {

/// The shadow of an array in shared memory, in one lane.
struct SharedShadow {
  llvm::GlobalVariable *Primal = nullptr;
  llvm::Value *Address = nullptr; ///< In shared memory.
  llvm::Value *Bytes = nullptr;   ///< i32.
};

class Shadows {
public:
  /// Adds the twins that the active accesses of \p S need to S.P.F.
  Shadows(Subject &S, const Activity &A);

  /// False if a pointer with a shadow comes from something that has no twin;
  /// that was reported.
  bool isComplete() const { return Complete; }

  /// The shadow address of \p Pointer in lane \p Lane; the null pointer where
  /// it leads to no shadow. \p Pointer is the address of an active access.
  llvm::Value *of(llvm::Value *Pointer, unsigned Lane) const;
  /// Those of all lanes.
  LaneValues inLanes(llvm::Value *Pointer) const;

  /// For a load that reads a shadow pointer: the load that it mirrors.
  const llvm::LoadInst *mirrored(const llvm::LoadInst *Twin) const;

  /// Every access to the shadow of \p Pointer is of this thread alone.
  bool isPrivate(const llvm::Value *Pointer) const;

  /// The shadows in shared memory that the accesses of S reach, of all lanes.
  llvm::ArrayRef<SharedShadow> shared() const { return Shared; }

  /// At the function's start; the twins' addresses are known in front of it.
  llvm::Instruction *begin() const { return Begin; }

  /// Zeroes the shadows of the function's own arrays.
  void clearLocals(llvm::IRBuilderBase &B) const;

private:
  llvm::Value *twin(llvm::Value *Pointer);
  llvm::Value *twinOfInstruction(llvm::Instruction &I);
  llvm::Value *twinOfPhi(llvm::PHINode &Phi);
  llvm::Value *twinOfAlloca(llvm::AllocaInst &Alloca);
  llvm::Value *twinOfShared(llvm::GlobalVariable &Array);
  llvm::Value *registered(llvm::GlobalVariable &V, llvm::GlobalVariable &All);
  void mirrorAccesses(llvm::Instruction &I);

  Subject &S;
  const Activity &A;
  llvm::Instruction *Begin; ///< Of the primal: twins of constants go before it.
  unsigned Lane = 0;        ///< Whose twins are being made.
  /// By lane.
  llvm::SmallVector<llvm::DenseMap<llvm::Value *, llvm::Value *>, 1> Twins;
  llvm::DenseMap<const llvm::LoadInst *, const llvm::LoadInst *> Mirrored;
  llvm::SmallVector<llvm::AllocaInst *, 4> Locals;
  llvm::SmallVector<SharedShadow, 2> Shared;
  bool Complete = true;
};

} // namespace kdiff
#endif // KDIFF_SHADOW_SHADOWS_H
