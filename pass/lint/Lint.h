//===- Lint.h - Is a differentiated module what it must be? ----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a module keep the invariants that hold
// behind a stage?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_LINT_LINT_H
#define KDIFF_LINT_LINT_H

#include "llvm/IR/PassManager.h"

namespace kdiff {

enum class LintPoint {
  /// Behind emit: the abstract operations are well-formed, and a function's
  /// tape is opened and closed where it is used.
  Emitted,
  /// Behind lower: no abstract operation, request or marker is left; nothing
  /// is called that the NVPTX backend or ptxas cannot resolve; adjoint
  /// additions have a scope and a known address space.
  Lowered
};

/// kdiff-lint<emit>, kdiff-lint<lower>: an error for every broken invariant,
/// also where LLVM's verifier finds fault. For KDiff's developers: what it
/// finds is a fault of KDiff.
class LintPass : public llvm::PassInfoMixin<LintPass> {
public:
  explicit LintPass(LintPoint Point = LintPoint::Lowered) : Point(Point) {}
  llvm::PreservedAnalyses run(llvm::Module &M, llvm::ModuleAnalysisManager &);
  static bool isRequired() { return true; }

private:
  LintPoint Point;
};

} // namespace kdiff
#endif // KDIFF_LINT_LINT_H
