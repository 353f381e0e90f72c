//===- LiveIns.h - What one lane tells another about a loop ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a lane get the values that the body of
// a loop has from outside, of the lane whose iteration it runs?
//
// What is the same in all lanes of a kernel is had already. Of the rest it
// takes as few words as are easily found: what is computed from fewer words is
// computed again.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LOWER_LIVEINS_H
#define KDIFF_LOWER_LIVEINS_H

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/IRBuilder.h"

namespace llvm {
class Loop;
} // namespace llvm

namespace kdiff {

/// What the lane \p Owner has for \p V, of any type that is a number of bits,
/// by the lanes of \p Mask (i32).
llvm::Value *createFromLane(llvm::IRBuilderBase &B, llvm::Value *Mask,
                            llvm::Value *V, llvm::Value *Owner);

class LiveIns {
public:
  /// Of \p L, but for \p Counter, a phi of its header.
  LiveIns(llvm::Loop &L, const llvm::PHINode *Counter);

  /// Lets the body have the values of the lane \p Owner. The lanes of \p Mask
  /// exchange them at \p B, in front of the body.
  void exchange(llvm::IRBuilderBase &B, llvm::Value *Mask, llvm::Value *Owner);

private:
  llvm::SmallSetVector<llvm::Value *, 4> sourcesOf(llvm::Value *V,
                                                   unsigned Depth) const;
  bool replaceBySources(llvm::Value *V);
  llvm::Value *rebuild(llvm::IRBuilderBase &B, llvm::Value *V);

  llvm::MapVector<llvm::Value *, llvm::SmallVector<llvm::Use *, 4>> Uses;
  llvm::SmallSetVector<llvm::Value *, 16> Exchanged;
  llvm::DenseMap<llvm::Value *, llvm::Value *> Theirs;
};

} // namespace kdiff
#endif // KDIFF_LOWER_LIVEINS_H
