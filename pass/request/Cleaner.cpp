//===- Cleaner.cpp - Local variables become values --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is one function made readable?
//
//===----------------------------------------------------------------------===//

#include "request/Cleaner.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/Scalar/InstSimplifyPass.h"
#include "llvm/Transforms/Scalar/SROA.h"

using namespace llvm;
using namespace kdiff;

Cleaner::Cleaner() {
  PassBuilder PB;
  PB.registerModuleAnalyses(MAM);
  PB.registerCGSCCAnalyses(CGAM);
  PB.registerFunctionAnalyses(FAM);
  PB.registerLoopAnalyses(LAM);
  PB.crossRegisterProxies(LAM, FAM, CGAM, MAM);
}

void Cleaner::clean(Function &F) {
  // The function may have changed since the last time.
  FAM.invalidate(F, PreservedAnalyses::none());
  F.removeFnAttr(Attribute::OptimizeNone);
  SROAPass(SROAOptions::PreserveCFG).run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
  InstSimplifyPass().run(F, FAM);
  FAM.invalidate(F, PreservedAnalyses::none());
}

void Cleaner::forget(Function &F) { FAM.clear(F, F.getName()); }
