//===- WarpUniform.h - What all lanes of a warp know -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which values have the same bits in all 32 lanes
// wherever these are together?
//
// A proof, unlike analysis/Uniformity.h. Lanes are together at a sum over the
// warp: in the same iteration of all loops around it. They leave a loop
// together that has such a sum in every iteration.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LOWER_WARPUNIFORM_H
#define KDIFF_LOWER_WARPUNIFORM_H

#include "llvm/ADT/DenseSet.h"

namespace llvm {
class BasicBlock;
class DominatorTree;
class Function;
class Instruction;
class Loop;
class LoopInfo;
class PHINode;
class Value;
} // namespace llvm

namespace kdiff {

class WarpUniform {
public:
  /// \p F is in LCSSA form; its \p Arguments are uniform, \p Sums are what
  /// all lanes have together from all or from one.
  WarpUniform(const llvm::Function &F, const llvm::LoopInfo &LI,
              const llvm::DominatorTree &DT,
              const llvm::DenseSet<const llvm::Value *> &Arguments,
              const llvm::DenseSet<const llvm::Value *> &Sums);

  /// Of a value that can be used where the warp makes a sum.
  bool isUniform(const llvm::Value *V) const { return !Varying.contains(V); }

private:
  bool varies(const llvm::Instruction &I) const;
  bool variesPhi(const llvm::PHINode &Phi) const;
  bool isTogether(const llvm::Loop &L) const;
  bool goesOnTogether(const llvm::BasicBlock &B) const;
  bool comesTogether(const llvm::BasicBlock &Join) const;
  bool leavesTogether(const llvm::Value &V, const llvm::PHINode &Phi) const;

  const llvm::LoopInfo &LI;
  const llvm::DominatorTree &DT;
  const llvm::DenseSet<const llvm::Value *> &Sums;
  llvm::DenseSet<const llvm::Value *> Varying;
};

} // namespace kdiff
#endif // KDIFF_LOWER_WARPUNIFORM_H
