//===- Isolate.h - Work in child processes ---------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a crash or a hang in one piece of
// work leave the others alone?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_ISOLATE_H
#define KDIFF_TOOL_CASES_ISOLATE_H

#include "cases/CaseFile.h"
#include "cases/Outcome.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <string>

namespace kdiff::tool {

/// How a child process ended.
struct ChildResult {
  enum Kind { Returned, Crashed, TimedOut };
  Kind End = Returned;
  std::string Answer; ///< Returned: what the work returned.
  /// Otherwise what happened: the signal, and what the child said last.
  std::string Detail;
};

/// Runs Work(0) to Work(Count - 1), each in a child process, up to \p Jobs at
/// a time, and calls Done(Index, Result) here for each, in order of the index.
/// A child that takes longer than \p Timeout seconds (0: no limit) is killed
/// with all that it has started, as are all children when this process ends.
/// The calling process must have one thread only, since the children are its
/// forks: they find everything that it has loaded. May be nested.
void runIsolated(unsigned Count, unsigned Jobs, unsigned Timeout,
                 llvm::function_ref<std::string(unsigned)> Work,
                 llvm::function_ref<void(unsigned, ChildResult)> Done);

/// The outcome of a child that ran \p C in \p Mode and answers with one
/// (toJSON).
Outcome outcomeOf(const Case &C, RunMode Mode, const ChildResult &R);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_ISOLATE_H
