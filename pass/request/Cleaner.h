//===- Cleaner.h - Local variables become values ---------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is one function, as the front end wrote it,
// made readable without touching the rest of the module?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_REQUEST_CLEANER_H
#define KDIFF_REQUEST_CLEANER_H

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"

namespace kdiff {

/// Function analyses of its own, so that it works on modules that no pass
/// manager is running on.
class Cleaner {
public:
  Cleaner();
  /// SROA and instruction simplification; drops `optnone`. May erase
  /// instructions without effect. Keeps the control flow.
  void clean(llvm::Function &F);
  /// Before \p F is erased.
  void forget(llvm::Function &F);

private:
  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
};

} // namespace kdiff
#endif // KDIFF_REQUEST_CLEANER_H
