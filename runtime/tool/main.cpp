//===- main.cpp - The tool kdiff ------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which subcommand was asked for?
//
//===----------------------------------------------------------------------===//

#include "commands/Commands.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/WithColor.h"

using namespace llvm;
using namespace kdiff::tool;

static Expected<int> dispatch() {
  if (GradCommand)
    return runGrad();
  if (ExplainCommand)
    return runExplain();
  if (CheckCommand)
    return runCheck();
  if (CasesCommand)
    return runCases();
  if (RunCommand)
    return runRun();
  cl::PrintHelpMessage();
  return 1;
}

/// LLVM's fatal errors (an instruction that the target cannot select, ...) end
/// the process with a message, not with a crash.
static void onFatalError(void *, const char *Reason, bool) {
  WithColor::error(errs(), "kdiff") << "LLVM: " << Reason << '\n';
  std::_Exit(1);
}

static void printVersion(raw_ostream &OS) {
  OS << "KDiff " KDIFF_VERSION ", for LLVM " LLVM_VERSION_STRING "\n";
}

int main(int Argc, char **Argv) {
  InitLLVM X(Argc, Argv);
  install_fatal_error_handler(onFatalError);
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  LLVMInitializeNVPTXAsmPrinter();
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  cl::SetVersionPrinter(printVersion);
  // LLVM's own options work, but are not what this tool is about.
  cl::OptionCategory None("");
  cl::HideUnrelatedOptions(None);
  cl::ParseCommandLineOptions(
      Argc, Argv, "KDiff: exact derivatives of CUDA kernels, without a GPU\n");
  Expected<int> Status = dispatch();
  if (Status)
    return *Status;
  handleAllErrors(Status.takeError(), [](const ErrorInfoBase &E) {
    SmallVector<StringRef> Lines;
    std::string Text = E.message();
    StringRef(Text).rtrim().split(Lines, '\n');
    // Messages with a place in a source speak for themselves.
    if (StringRef(Text).contains(": error: "))
      errs() << StringRef(Text).rtrim() << '\n';
    else
      WithColor::error(errs(), "kdiff") << StringRef(Text).rtrim() << '\n';
  });
  return 1;
}
