//===- Unroll.cpp - Loops that are better no loops --------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which loops are unrolled before they are
// differentiated?
//
// Local arrays that small loops index go to registers then, and what the
// reverse sweep needs of the iterations is in scope instead of on the tape.
//
//===----------------------------------------------------------------------===//

#include "prepare/Steps.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Transforms/Utils/LoopUtils.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"

using namespace llvm;

namespace {

/// How far a loop may be unrolled: trips, and instructions of the result.
struct Budget {
  unsigned Trips, Instructions;
};
constexpr Budget Unasked = {16, 1000};
constexpr Budget AskedFor = {64, 1600}; ///< `#pragma unroll`.

Budget budgetOf(const Loop &L) {
  if (getBooleanLoopAttribute(&L, "llvm.loop.unroll.disable"))
    return {0, 0};
  bool Asked = getBooleanLoopAttribute(&L, "llvm.loop.unroll.enable") ||
               getBooleanLoopAttribute(&L, "llvm.loop.unroll.full");
  return Asked ? AskedFor : Unasked;
}

unsigned sizeOf(const Loop &L) {
  unsigned Size = 0;
  for (const BasicBlock *B : L.blocks())
    Size += B->sizeWithoutDebug();
  return Size;
}

} // namespace

bool kdiff::unrollSmallLoops(Function &F, FunctionAnalysisManager &FAM) {
  auto &LI = FAM.getResult<LoopAnalysis>(F);
  if (LI.empty())
    return false;
  auto &SE = FAM.getResult<ScalarEvolutionAnalysis>(F);
  auto &DT = FAM.getResult<DominatorTreeAnalysis>(F);
  auto &AC = FAM.getResult<AssumptionAnalysis>(F);
  auto &TTI = FAM.getResult<TargetIRAnalysis>(F);
  auto &ORE = FAM.getResult<OptimizationRemarkEmitterAnalysis>(F);

  bool Changed = false;
  SmallVector<Loop *, 8> Loops = LI.getLoopsInPreorder();
  for (Loop *L : reverse(Loops)) { // Inner ones first.
    unsigned Trips = SE.getSmallConstantTripCount(L);
    Budget Allowed = budgetOf(*L);
    if (Trips == 0 || Trips > Allowed.Trips ||
        Trips * sizeOf(*L) > Allowed.Instructions || !L->isSafeToClone())
      continue;
    UnrollLoopOptions Options = {};
    Options.Count = Trips;
    Options.Force = true;
    Options.ForgetAllSCEV = true;
    Changed |=
        UnrollLoop(L, Options, &LI, &SE, &DT, &AC, &TTI, &ORE,
                   /*PreserveLCSSA=*/true) != LoopUnrollResult::Unmodified;
  }
  return Changed;
}
