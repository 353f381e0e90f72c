//===- Unroll.cpp - Loops of replayed segments are unrolled -----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does what the iterations of a segment start
// from get into registers?
//
// An array is kept in registers only where each access names its element. LLVM
// is not asked by metadata to unroll: it warns the user where it cannot.
//
//===----------------------------------------------------------------------===//

#include "lower/Abstract.h"
#include "lower/Steps.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;
using namespace kdiff;

static bool isMarked(const Loop *L) {
  return getBooleanLoopAttribute(L, UnrollAttribute);
}

void kdiff::unrollSegments(Function &F, FunctionAnalysisManager &FAM) {
  if (none_of(FAM.getResult<LoopAnalysis>(F).getLoopsInPreorder(), isMarked))
    return;
  FAM.invalidate(F, LoopSimplifyPass().run(F, FAM));
  FAM.invalidate(F, LCSSAPass().run(F, FAM));
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops)) { // Inner ones first.
    if (!isMarked(L))
      continue;
    auto Number = getOptionalIntLoopAttribute(L, UnrollAttribute);
    L->setLoopID(nullptr);
    UnrollLoopOptions Options = {};
    Options.Count = Number ? *Number : SE.getSmallConstantMaxTripCount(L);
    Options.Force = true;
    Options.ForgetAllSCEV = true;
    if (Options.Count > 1)
      UnrollLoop(L, Options, &LI, &SE, &FAM.getResult<DominatorTreeAnalysis>(F),
                 &FAM.getResult<AssumptionAnalysis>(F),
                 &FAM.getResult<TargetIRAnalysis>(F),
                 &FAM.getResult<OptimizationRemarkEmitterAnalysis>(F),
                 /*PreserveLCSSA=*/true);
  }
  FAM.invalidate(F, PreservedAnalyses::none());
}
