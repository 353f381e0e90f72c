//===- Analyses.h - The analyses that a pass asks for -----------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where does a test that runs a pass by itself get
// LLVM's analyses from?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TEST_LOWER_ANALYSES_H
#define KDIFF_TEST_LOWER_ANALYSES_H

#include "llvm/Passes/PassBuilder.h"

namespace kdiff {

/// All analyses of LLVM, registered with each other.
struct Analyses {
  Analyses() {
    llvm::PassBuilder PB;
    PB.registerModuleAnalyses(MAM);
    PB.registerCGSCCAnalyses(CGAM);
    PB.registerFunctionAnalyses(FAM);
    PB.registerLoopAnalyses(LAM);
    PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
  }

  llvm::LoopAnalysisManager LAM;
  llvm::FunctionAnalysisManager FAM;
  llvm::CGSCCAnalysisManager CGAM;
  llvm::ModuleAnalysisManager MAM;
};

} // namespace kdiff
#endif // KDIFF_TEST_LOWER_ANALYSES_H
