//===- KDiffPass.cpp - The line of stages -----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which order do the stages run?
//
//===----------------------------------------------------------------------===//

#include "KDiffPass.h"
#include "request/Request.h"
#include "target/NVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace kdiff;

PreservedAnalyses KDiffPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!nvptx::isDeviceModule(M))
    return PreservedAnalyses::all();
  auto Requests = collectRequests(M);
  if (!Requests) {
    discardRequests(M);
    return PreservedAnalyses::none();
  }
  if (Requests->empty())
    return PreservedAnalyses::all();
  return PreservedAnalyses::none();
}

PreservedAnalyses KDiffPrinterPass::run(Module &M, ModuleAnalysisManager &) {
  if (!nvptx::isDeviceModule(M))
    return PreservedAnalyses::all();
  std::unique_ptr<Module> Copy = CloneModule(M);
  auto Requests = collectRequests(*Copy);
  if (!Requests)
    return PreservedAnalyses::all();
  for (const Request &R : *Requests)
    if (Printed == Stage::Request)
      R.print(OS);
  return PreservedAnalyses::all();
}
