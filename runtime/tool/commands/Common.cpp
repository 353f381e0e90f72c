//===- Common.cpp - What the subcommands share ----------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which subcommands are there, and which options
// do they share?
//
//===----------------------------------------------------------------------===//

#include "commands/Commands.h"
#include "request/Request.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace kdiff::tool {

cl::SubCommand GradCommand("grad", "Write the gradient kernel of a kernel");
cl::SubCommand
    ExplainCommand("explain",
                   "Say line by line what a gradient tapes and how it adds");
cl::SubCommand
    CheckCommand("check",
                 "Compare derivatives with finite differences on the executor");
cl::SubCommand CasesCommand("cases", "Run case folders");
cl::SubCommand RunCommand("run", "Run a kernel on the executor");

#define ALL_COMMANDS                                                           \
  cl::sub(GradCommand), cl::sub(ExplainCommand), cl::sub(CheckCommand),        \
      cl::sub(CasesCommand), cl::sub(RunCommand)

static cl::opt<std::string> Clang("clang", cl::desc("clang++ of LLVM 22"),
                                  cl::value_desc("file"), ALL_COMMANDS);
static cl::opt<std::string> CudaPath("cuda-path", cl::desc("CUDA toolkit"),
                                     cl::value_desc("folder"), ALL_COMMANDS);
static cl::opt<std::string> Arch("arch", cl::desc("GPU architecture (sm_90)"),
                                 cl::value_desc("sm_NN"), cl::init("sm_90"),
                                 ALL_COMMANDS);
static cl::opt<unsigned> OptLevel("O", cl::Prefix, cl::init(2),
                                  cl::desc("Optimisation level (2)"),
                                  cl::value_desc("0-3"), ALL_COMMANDS);
static cl::list<std::string> Defines("D", cl::Prefix,
                                     cl::desc("Define a macro"),
                                     cl::value_desc("name[=value]"),
                                     ALL_COMMANDS);
static cl::list<std::string> Includes("I", cl::Prefix,
                                      cl::desc("Look for headers here"),
                                      cl::value_desc("folder"), ALL_COMMANDS);
static cl::opt<std::string> Standard("std", cl::desc("C++ standard"),
                                     cl::value_desc("c++NN"), ALL_COMMANDS);
static cl::list<std::string> ClangArgs("clang-arg",
                                       cl::desc("Another option for clang"),
                                       cl::value_desc("option"), ALL_COMMANDS);

Expected<Toolchain> toolchainFromOptions() {
  if (OptLevel > 3)
    return createStringError("-O takes 0, 1, 2 or 3");
  Toolchain T;
  T.Clang = Clang;
  T.CudaPath = CudaPath;
  T.Arch = Arch;
  T.OptLevel = OptLevel;
  for (const std::string &D : Defines)
    T.Flags.push_back("-D" + D);
  for (const std::string &I : Includes)
    T.Flags.push_back("-I" + I);
  if (!Standard.empty())
    T.Flags.push_back("-std=" + Standard);
  append_range(T.Flags, ClangArgs);
  if (Error E = T.complete())
    return std::move(E);
  return T;
}

#define EXECUTOR_COMMANDS                                                      \
  cl::sub(CheckCommand), cl::sub(CasesCommand), cl::sub(RunCommand)

static cl::opt<bool>
    Checks("checks",
           cl::desc("Look for data races and for accesses out of bounds, "
                    "misaligned, undefined or of another thread's memory"),
           EXECUTOR_COMMANDS);
static cl::list<uint64_t>
    Seeds("seeds", cl::CommaSeparated,
          cl::desc("With --checks: a run in a random order for each seed, "
                   "threads being stopped anywhere (1)"),
          cl::value_desc("N,..."), EXECUTOR_COMMANDS);

Expected<ExecutorOptions> executorFromOptions() {
  if (!Checks && !Seeds.empty())
    return createStringError("--seeds needs --checks");
  ExecutorOptions O;
  O.Checks = Checks;
  O.Seeds = Seeds;
  if (Checks && Seeds.empty())
    O.Seeds = {1};
  return O;
}

static cl::opt<unsigned>
    Width("width", cl::init(1),
          cl::desc("Lanes: seeds or tangents at once, which share the primal "
                   "and its tape (1)"),
          cl::value_desc("N"), cl::sub(GradCommand), cl::sub(ExplainCommand),
          cl::sub(CheckCommand), cl::sub(CasesCommand));

Expected<unsigned> widthFromOptions() {
  if (Width == 0 || Width > MaxWidth)
    return createStringError("--width must be from 1 to %u", MaxWidth);
  return Width;
}

void showMessages(StringRef Messages) { errs() << Messages; }

} // namespace kdiff::tool
