//===- Adjoints.h - The adjoint of every active value ----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where do the adjoints of an SSA value live
// during the reverse sweep?
//
// In an alloca of the gradient, one an active value: every use adds to it,
// the definition reads and clears it. SROA turns the allocas into registers
// and phis, so that emission never has to think about dominance.
//
// Every lane (Request::Width) has adjoints of its own. What an instruction does
// is emitted once for each lane, without a thought of the others; what lanes
// can share is emitted in front of that.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_EMIT_ADJOINTS_H
#define KDIFF_EMIT_ADJOINTS_H

#include "analysis/Activity.h"
#include "support/Lanes.h"
#include "llvm/ADT/MapVector.h"

namespace kdiff {

/// The neutral element of addition: -0.0, which, unlike +0.0, the optimiser
/// may drop (x + -0.0 is x for every x). For any type that contains floating
/// point.
llvm::Constant *neutralAdjoint(llvm::Type *T);

/// The sum of two adjoints of one type; elementwise for structs and arrays,
/// whose other members are ignored.
llvm::Value *addAdjoints(llvm::IRBuilderBase &B, llvm::Value *L,
                         llvm::Value *R);

class Adjoints {
public:
  Adjoints(llvm::Function &F, const Activity &A, unsigned Width)
      : F(F), A(A), Width(Width) {}

  unsigned width() const { return Width; }
  /// The lane that add(), take() and read() are about: within forEachLane() the
  /// one of the round, elsewhere the first.
  unsigned lane() const { return Lane; }
  void forEachLane(llvm::function_ref<void()> Do);

  /// Adds \p Contribution (of V's adjoint type) to the adjoint of \p V;
  /// nothing if V is not active.
  void add(llvm::IRBuilderBase &B, llvm::Value *V, llvm::Value *Contribution);
  /// The adjoint of \p V, which is neutral afterwards.
  llvm::Value *take(llvm::IRBuilderBase &B, llvm::Value *V);
  /// The adjoint of \p V as it is.
  llvm::Value *read(llvm::IRBuilderBase &B, llvm::Value *V);
  /// Likewise in every lane.
  void addAll(llvm::IRBuilderBase &B, llvm::Value *V,
              llvm::ArrayRef<llvm::Value *> Contributions);
  LaneValues takeAll(llvm::IRBuilderBase &B, llvm::Value *V);
  /// Writes the neutral element into every slot at \p B (the start of the
  /// reverse sweep). Called last, when all slots exist.
  void clearAll(llvm::IRBuilderBase &B);

private:
  llvm::AllocaInst *slot(llvm::Value *V);

  llvm::Function &F;
  const Activity &A;
  unsigned Width, Lane = 0;
  /// By value and lane.
  llvm::MapVector<std::pair<llvm::Value *, unsigned>, llvm::AllocaInst *> Slots;
};

} // namespace kdiff
#endif // KDIFF_EMIT_ADJOINTS_H
