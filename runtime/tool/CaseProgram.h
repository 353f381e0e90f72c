//===- CaseProgram.h - A case compiled and judged --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does KDiff make of a case: a program, a
// refusal that the case allows, or one that it does not?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASEPROGRAM_H
#define KDIFF_TOOL_CASEPROGRAM_H

#include "ExecutorDevice.h"
#include "cases/CaseRun.h"
#include "cases/Outcome.h"
#include "compile/Toolchain.h"
#include "llvm/Target/TargetMachine.h"

namespace kdiff::tool {

/// A limit for clang on one case: far above what it takes, also on a machine
/// that is busy.
constexpr unsigned CompileSeconds = 300;

/// The tool chain for \p C: REAL is float or double as the case has it.
Toolchain toolchainFor(const Case &C, const Toolchain &T);

/// The device variables of \p M that a kernel may write.
std::vector<std::string> mutableVariables(const llvm::Module &M);

/// Adds the gradient kernels of \p C, of \p Width lanes, to \p M and
/// differentiates them, with
/// LLVM's pipeline behind, if \p Level is given. A Refusal where KDiff
/// refuses.
llvm::Expected<Program>
makeProgram(const Case &C, RunMode Mode, llvm::Module &M,
            llvm::TargetMachine &Target, llvm::StringRef Libdevice,
            std::optional<unsigned> Level, unsigned Width);

/// The outcome for what makeProgram() or runCase() failed with: a refusal
/// passes if the case expects or allows it.
Outcome judgeFailure(const Case &C, RunMode Mode, llvm::Error E);
/// The outcome of a run with these differences; of a case that had to be
/// refused and was not, an error.
Outcome judgeRun(const Case &C, RunMode Mode,
                 llvm::ArrayRef<std::string> Differences);

/// Runs one mode of \p C on the executor, \p Width lanes at once, and once for
/// each seed. \p M is the case's module, which is used up.
Outcome runOnExecutor(const Case &C, RunMode Mode, llvm::Module &M,
                      const Toolchain &T, const ExecutorOptions &Options,
                      unsigned Width);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASEPROGRAM_H
