//===- CaseRun.h - One case on one device -----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which order do a case's launches run, with
// which memory, and what is compared afterwards?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_CASERUN_H
#define KDIFF_TOOL_CASES_CASERUN_H

#include "cases/Device.h"
#include "cases/Signature.h"

namespace kdiff::tool {

/// What was compiled for a case in one mode.
struct Program {
  RunMode Mode = RunMode::Primal;
  unsigned Width = 1; ///< Lanes of each gradient.
  std::vector<Signature> Gradients;
  /// For each launch of the case, the index of its gradient; in split mode of
  /// its augmented primal, behind which its reverse is. Empty in primal mode.
  std::vector<unsigned> GradientOf;
  /// Device variables that a kernel may write: they count as memory.
  std::vector<std::string> Variables;
};
llvm::json::Value toJSON(const Program &P);
bool fromJSON(const llvm::json::Value &V, Program &P, llvm::json::Path Path);

/// Runs \p C as \p P says on \p D, which has its kernels loaded, and compares.
/// Gives a line for each thing that differs; an error where a launch fails.
///
/// Primal: the launches in order.
/// Forward: the gradient launches in order (each runs its primal).
/// Reverse: the primal launches in order, memory being kept before each; then
/// the gradient launches in reverse order. A gradient launch runs its primal
/// again, so memory is put back before it; the shadows stay.
/// Split: the augmented launches in order, then their reverse launches in
/// reverse order, each with a tape of its own.
/// Several lanes have the seeds or tangents that Lanes.h says.
llvm::Expected<std::vector<std::string>> runCase(const Case &C,
                                                 const Program &P, Device &D);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_CASERUN_H
