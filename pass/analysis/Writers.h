//===- Writers.h - Who may write what a load reads -------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which instruction may, in any thread and any
// iteration of any loop, write the memory that a load reads?
//
// LLVM's alias analysis compares addresses of one iteration and one thread:
// it holds x[i] and x[i + 1] to be apart. So only whole objects are compared
// by it; within one object, offsets count modulo every variable stride.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_ANALYSIS_WRITERS_H
#define KDIFF_ANALYSIS_WRITERS_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

namespace llvm {
class AAResults;
class Function;
class Instruction;
class Loop;
class LoadInst;
} // namespace llvm

namespace kdiff {

/// A call that writes nothing that a load of the primal could see.
bool isSilent(const llvm::Instruction &I);

/// Threads may wait here for what others wrote: barriers, fences, atomics.
bool synchronises(const llvm::Instruction &I);

/// A barrier or fence: it lets others write, but what they write is in this
/// function too, if that is all that they run.
bool onlyWaits(const llvm::Instruction &I);

class Writers {
public:
  Writers(const llvm::Function &F, llvm::AAResults &AA);

  /// The first instruction of the function that may write what \p Load reads;
  /// null if nobody does during the whole launch.
  const llvm::Instruction *of(const llvm::LoadInst &Load);
  /// The same within \p L, during which nobody waits for others: null if the
  /// thread finds the same content in all iterations.
  const llvm::Instruction *of(const llvm::LoadInst &Load, const llvm::Loop &L);

  /// True if \p Write may write what \p Load reads, each in any iteration and
  /// any thread.
  bool mayWrite(const llvm::Instruction &Write, const llvm::LoadInst &Load);

private:
  llvm::AAResults &AA;
  llvm::SmallVector<const llvm::Instruction *, 16> Writes, Waits;
  llvm::DenseMap<const llvm::LoadInst *, const llvm::Instruction *> Known;
};

} // namespace kdiff
#endif // KDIFF_ANALYSIS_WRITERS_H
