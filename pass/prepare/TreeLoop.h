//===- TreeLoop.h - Loops that add halves of an array -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which loops add the upper half of an array in
// shared memory to the lower half, a word a thread, again and again?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PREPARE_TREELOOP_H
#define KDIFF_PREPARE_TREELOOP_H

#include "llvm/ADT/SmallVector.h"
#include <optional>

namespace llvm {
class GlobalVariable;
class LoadInst;
class Loop;
class PHINode;
class StoreInst;
class Type;
class Value;
} // namespace llvm

namespace kdiff {

/// True if both are the number of the thread in its block, of the same kind:
/// threadIdx.x, or rows behind one another.
bool isSameNumber(llvm::Value *V, llvm::Value *Number);

/// The array in shared memory that \p Pointer leads into; null if it may lead
/// elsewhere.
llvm::GlobalVariable *sharedArrayOf(llvm::Value *Pointer);

/// The number of the thread (an i32) whose word of type \p T in \p Array
/// \p Pointer leads to; null if it is no such word.
llvm::Value *numberIn(const llvm::GlobalVariable &Array, llvm::Value *Pointer,
                      llvm::Type *T);

/// True if \p Pointer leads to the first word of \p Array.
bool isFirstWord(const llvm::GlobalVariable &Array, llvm::Value *Pointer);

/// s[k] += s[k + d].
struct TreeStep {
  llvm::StoreInst *Store;
  llvm::LoadInst *Own, *Other;
  llvm::GlobalVariable *Array;
};

/// The loop of a sum, or of sums in several arrays.
struct Tree {
  llvm::Loop *L = nullptr;
  llvm::Value *Number = nullptr;
  llvm::PHINode *Distance = nullptr;
  bool IsSigned = false; ///< Negative distances are no steps.
  llvm::SmallVector<TreeStep, 1> Steps;
};

/// The loop \p L as such a one, if it is written in the usual way (Trees.cpp).
/// It must be in simplified form.
std::optional<Tree> matchTree(llvm::Loop &L);

} // namespace kdiff
#endif // KDIFF_PREPARE_TREELOOP_H
