//===- Check.h - Derivatives against difference quotients ------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: do a gradient's numbers agree with those that
// differences of the primal give?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CHECK_CHECK_H
#define KDIFF_TOOL_CHECK_CHECK_H

#include "cases/CaseRun.h"
#include "check/Quotients.h"
#include <functional>

namespace llvm {
class raw_ostream;
}

namespace kdiff::tool {

enum class Verdict {
  Right,
  Wrong,
  Undecided, ///< Of no element can the quotient be trusted.
};

/// One argument (or the scalar product) in one mode. All values are those of
/// the scaled problem: an element's derivative times the argument's size.
struct CheckRow {
  RunMode Mode = RunMode::Reverse;
  std::string Name;
  size_t Checked = 0;   ///< Elements compared.
  size_t Undecided = 0; ///< Of these, the quotient cannot be trusted.
  size_t Worst = 0;     ///< The element with the largest error.
  double Value = 0, Expected = 0;
  /// The largest error, relative to the argument's largest derivative.
  double RelativeError = 0;
  Verdict Found = Verdict::Right;
};

struct CheckOptions {
  double Tolerance = 0;  ///< Of RelativeError; 0: by the coarsest type.
  unsigned Samples = 16; ///< Elements of an argument, in reverse mode.
  uint64_t Seed = 1;
  /// Told what is being compared, before each argument; may be empty.
  std::function<void(llvm::StringRef)> Progress;
};

/// What one lane of a gradient made of random tangents or seeds.
struct GradientResult {
  RunMode Mode = RunMode::Reverse;
  unsigned Lane = 0;
  Vectors Initial; ///< Forward: of all arguments; reverse: of the outputs.
  Vectors Final;   ///< Forward: of the outputs; reverse: of all arguments.
};
/// Runs the gradient of \p C, compiled as \p P and loaded on \p D, once, with
/// seeds or tangents of its own for each lane.
llvm::Expected<std::vector<GradientResult>>
runGradient(const Case &C, const Program &P, Device &D, const CheckOptions &O);

/// Compares \p G, of \p C, with quotients of \p F, the same primal (perhaps in
/// higher precision). In reverse mode the last row compares the products
/// <J t, s> and <t, J^T s>, and so covers the elements that were not sampled.
llvm::Expected<std::vector<CheckRow>> checkGradient(const Case &C,
                                                    const GradientResult &G,
                                                    PrimalFunction &F,
                                                    const CheckOptions &O);

/// The default tolerance for \p C.
double defaultTolerance(const Case &C);

void printRows(llvm::raw_ostream &OS, llvm::ArrayRef<CheckRow> Rows);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CHECK_CHECK_H
