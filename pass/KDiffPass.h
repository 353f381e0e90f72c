//===- KDiffPass.h - The line of stages ------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which order do the stages run?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_KDIFFPASS_H
#define KDIFF_KDIFFPASS_H

#include "lower/Lower.h"
#include "llvm/IR/PassManager.h"

namespace kdiff {

enum class Stage { Request, Prepare, Analyse, Plan, Emit, Lower };

struct Options {
  Stage StopAfter = Stage::Lower; ///< The stages behind it do not run.
  LowerOptions Lower;
};

/// kdiff<stop-after=STAGE;libdevice=FILE>: replaces every request of an NVPTX
/// module by its gradient. Other modules are left alone. Errors go through
/// LLVMContext::diagnose; the module is then left valid, with the requests
/// that failed replaced by nothing, so that no output is made of it.
class KDiffPass : public llvm::PassInfoMixin<KDiffPass> {
public:
  explicit KDiffPass(Options O = {}) : Opts(std::move(O)) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  Options Opts;
};

/// Prints what the stage \p Printed makes of the requests of a module:
/// print<kdiff-request>, print<kdiff-prepared>, print<kdiff-activity>,
/// print<kdiff-plan>. Works on a copy; the module stays as it is.
class KDiffPrinterPass : public llvm::PassInfoMixin<KDiffPrinterPass> {
public:
  KDiffPrinterPass(Stage Printed, llvm::raw_ostream &OS)
      : Printed(Printed), OS(OS) {}
  llvm::PreservedAnalyses run(llvm::Module &M,
                              llvm::ModuleAnalysisManager &MAM);
  static bool isRequired() { return true; }

private:
  Stage Printed;
  llvm::raw_ostream &OS;
};

} // namespace kdiff
#endif // KDIFF_KDIFFPASS_H
