//===- Outcome.h - How a case ended -----------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how did a case end, and how are the ends of
// many cases reported?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_OUTCOME_H
#define KDIFF_TOOL_CASES_OUTCOME_H

#include "cases/Signature.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class raw_ostream;
}

namespace kdiff::tool {

struct Outcome {
  enum Kind {
    Pass,
    Wrong,   ///< It ran; numbers differ.
    Refused, ///< KDiff refused it, and should not have.
    Error,   ///< It was not refused although it should be, the source does not
             ///< compile, a launch failed, ...
    Crash,   ///< The process died.
    Timeout
  };
  std::string Case;
  RunMode Mode = RunMode::Reverse;
  Kind End = Pass;
  std::string Detail; ///< What differed or was said; may be empty for Pass.
};

llvm::json::Value toJSON(const Outcome &O);
bool fromJSON(const llvm::json::Value &V, Outcome &O, llvm::json::Path P);

/// One line: "pass  NAME (reverse)", "WRONG NAME (reverse): what differed".
void printLine(llvm::raw_ostream &OS, const Outcome &O);
/// "N passed, N failed".
void printTotals(llvm::raw_ostream &OS, llvm::ArrayRef<Outcome> Outcomes);
bool allPassed(llvm::ArrayRef<Outcome> Outcomes);
/// The list as JSON. The file appears only when it is complete.
llvm::Error writeOutcomes(llvm::StringRef File,
                          llvm::ArrayRef<Outcome> Outcomes);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_OUTCOME_H
