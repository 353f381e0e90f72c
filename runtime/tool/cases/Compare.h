//===- Compare.h - Are the numbers the expected ones? ----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which numbers differ from those that a case
// expects, by its tolerances and its rules for ties?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_COMPARE_H
#define KDIFF_TOOL_CASES_COMPARE_H

#include "cases/CaseFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kdiff::tool {

/// Gives the numbers of "argument" or "struct.field".
using NumberSource =
    llvm::function_ref<llvm::Expected<std::vector<Number>>(llvm::StringRef)>;

/// What compare() looks at beside the expected numbers.
struct CompareOptions {
  std::string What;        ///< "primal", "shadow", "tangent".
  bool FloatsOnly = false; ///< Integer fields are not compared.
  bool AcceptTies = false; ///< Case::Accept holds here.
};

/// Appends a line for each entry of \p Expected with numbers that differ: the
/// worst of them, and how many there are. A value v matches the expected e
/// when |v - e| <= atol + rtol * |e|; integers match exactly.
llvm::Error compare(const Case &C, const NumberTable &Expected,
                    NumberSource Actual, const CompareOptions &Options,
                    std::vector<std::string> &Differences);

/// Appends a line for each of Case::AcceptSum that does not hold.
llvm::Error compareSums(const Case &C, NumberSource Actual,
                        std::vector<std::string> &Differences);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_COMPARE_H
