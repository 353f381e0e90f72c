//===- EndValues.h - Addresses that all threads can find -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which values can every thread compute at the end
// of the reverse sweep, whatever path it took, and which of them are the same
// for all threads of its block, or for a thread in all blocks?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_ENDVALUES_H
#define KDIFF_PLAN_ENDVALUES_H

#include "analysis/Writers.h"
#include "shadow/Shadows.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SetVector.h"

namespace llvm {
class CallBase;
class DominatorTree;
class LoopInfo;
} // namespace llvm

namespace kdiff {

class EndValues {
public:
  EndValues(const Subject &S, const Shadows &Sh, Writers &W,
            const llvm::DominatorTree &DT, const llvm::LoopInfo &LI)
      : S(S), Sh(Sh), W(W), DT(DT), LI(LI) {}

  /// True if \p V can be computed at the end by pure instructions from values
  /// that every thread has. Those are added to \p Leaves.
  bool isComputable(llvm::Value *V, llvm::SetVector<llvm::Value *> &Leaves);

  /// True if \p V is proven to be the same in all threads of the block.
  bool isBlockUniform(const llvm::Value *V);

  /// True if \p V is proven to be the same in all threads of the block that
  /// have the same threadIdx.x.
  bool isColumnUniform(const llvm::Value *V);

  /// The same of threads that differ in threadIdx.x alone.
  bool isRowUniform(const llvm::Value *V);

  /// True if \p V is proven to be the same for a thread, whichever block along
  /// x it does the work of.
  bool isGridInvariant(const llvm::Value *V);

private:
  bool isMadeOf(const llvm::Value *V,
                llvm::function_ref<bool(const llvm::CallBase &)> IsRegister);
  bool isAlwaysExecuted(const llvm::Instruction &I) const;
  bool isComputable(llvm::Value *V, llvm::SetVector<llvm::Value *> &Leaves,
                    unsigned Depth);

  const Subject &S;
  const Shadows &Sh;
  Writers &W;
  const llvm::DominatorTree &DT;
  const llvm::LoopInfo &LI;
};

} // namespace kdiff
#endif // KDIFF_PLAN_ENDVALUES_H
