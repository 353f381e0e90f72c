//===- Reload.h - Which loads the reverse sweep may repeat -----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a load's memory still hold the same value
// when the reverse sweep comes back to it?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_PLAN_RELOAD_H
#define KDIFF_PLAN_RELOAD_H

#include "analysis/Writers.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/PassManager.h"
#include <string>

namespace llvm {
class Instruction;
class LoadInst;
} // namespace llvm

namespace kdiff {

class Shadows;
struct Subject;

/// Pure instructions that always give the same result for the same operands.
bool isRepeatableKind(const llvm::Instruction &I);

/// The primal is free of data races. So between two barriers nobody but the
/// thread itself writes what the thread reads: without barriers, atomics and
/// fences only the thread's own later writes count. With any of them, every
/// write of the function counts, since another thread may do it later.
class Reloads {
public:
  Reloads(const Subject &S, const Shadows &Sh,
          llvm::FunctionAnalysisManager &FAM);

  /// True if \p Load may be repeated; else \p Why says what overwrites it.
  bool isReloadable(const llvm::LoadInst &Load, std::string &Why);

private:
  bool decide(const llvm::LoadInst &Load, std::string &Why);

  const Subject &S;
  llvm::Function &F;
  const Shadows &Sh;
  llvm::FunctionAnalysisManager &FAM;
  Writers W;
  llvm::SmallVector<llvm::Instruction *, 16> Writes;
  bool Synchronises = false;
  llvm::DenseMap<const llvm::LoadInst *, std::pair<bool, std::string>> Known;
};

} // namespace kdiff
#endif // KDIFF_PLAN_RELOAD_H
