//===- Commands.h - The tool's subcommands ---------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which subcommands are there, and which options
// do they share?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_COMMANDS_COMMANDS_H
#define KDIFF_TOOL_COMMANDS_COMMANDS_H

#include "ExecutorDevice.h"
#include "cases/Outcome.h"
#include "compile/Toolchain.h"
#include "llvm/Support/CommandLine.h"

namespace kdiff::tool {

extern llvm::cl::SubCommand GradCommand, ExplainCommand, CheckCommand,
    CasesCommand, RunCommand;

/// Each returns the process's exit status, or the error to be shown.
llvm::Expected<int> runGrad();
llvm::Expected<int> runExplain();
llvm::Expected<int> runCheck();
llvm::Expected<int> runCases();
llvm::Expected<int> runRun();

/// --clang, --cuda-path, --arch, -O, -D, -I, -std and --clang-arg, completed.
llvm::Expected<Toolchain> toolchainFromOptions();

/// --checks and --seeds.
llvm::Expected<ExecutorOptions> executorFromOptions();

/// --width.
llvm::Expected<unsigned> widthFromOptions();

/// Prints "kdiff: warning: " lines, or what clang said, to standard error.
void showMessages(llvm::StringRef Messages);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_COMMANDS_COMMANDS_H
