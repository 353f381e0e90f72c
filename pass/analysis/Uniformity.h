//===- Uniformity.h - What may differ between a warp's threads --*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which values are likely the same for all lanes
// of a warp that compute them together?
//
// Likely: lanes may be in different iterations of a loop, and what a memory
// holds may have changed in between. Who relies on it tests it at run time.
// (LLVM's own analysis for NVPTX calls block indices and sizes divergent.)
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_UNIFORMITY_H
#define KDIFF_ANALYSIS_UNIFORMITY_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"

namespace llvm {
class CallBase;
class Function;
class Instruction;
class Value;
} // namespace llvm

namespace kdiff {

/// True if \p CB reads a special register that is the same for a whole block.
bool isBlockRegister(const llvm::CallBase &CB);

/// True if \p F tells the rows of a block apart: reads threadIdx.y or z.
bool readsRow(const llvm::Function &F);

/// Which lanes are compared.
enum class Among {
  Warp,  ///< All.
  Row,   ///< Those of a row of the block: they differ in threadIdx.x alone.
  Column ///< Those that have the same threadIdx.x.
};

class Uniformity {
public:
  /// \p Varying: known to differ between lanes.
  explicit Uniformity(const llvm::Function &F, Among Lanes = Among::Warp,
                      llvm::ArrayRef<const llvm::Value *> Varying = {});

  /// True if nothing in the computation of \p V tells these lanes apart.
  bool isLikelyUniform(const llvm::Value *V) const {
    return !Varying.contains(V);
  }

private:
  bool varies(const llvm::Instruction &I) const;
  bool isShared(const llvm::CallBase &CB) const;

  Among Lanes;
  llvm::DenseSet<const llvm::Value *> Varying;
};

} // namespace kdiff
#endif // KDIFF_ANALYSIS_UNIFORMITY_H
