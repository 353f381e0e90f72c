//===- LaunchOptions.h - A launch on the command line ----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which kernel of which file is launched, with
// which shape and arguments (for check and run)?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_COMMANDS_LAUNCHOPTIONS_H
#define KDIFF_TOOL_COMMANDS_LAUNCHOPTIONS_H

#include "ArgSpec.h"

namespace kdiff::tool {

struct LaunchOptions {
  std::string File, Kernel;
  Launch Shape; ///< Without arguments.
  llvm::json::Value Args = nullptr;
  uint64_t Seed = 1;
};
/// From the command line.
llvm::Expected<LaunchOptions> launchFromOptions();

} // namespace kdiff::tool
#endif // KDIFF_TOOL_COMMANDS_LAUNCHOPTIONS_H
