//===- Lint.h - Is a differentiated module what it must be? ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a module keep the invariants that hold
// behind the lower stage?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LINT_LINT_H
#define KDIFF_LINT_LINT_H

#include "llvm/IR/PassManager.h"

namespace kdiff {

/// kdiff-lint: an error for every broken invariant.
class LintPass : public llvm::PassInfoMixin<LintPass> {
public:
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }
};

} // namespace kdiff
#endif // KDIFF_LINT_LINT_H
