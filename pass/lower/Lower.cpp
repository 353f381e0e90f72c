//===- Lower.cpp - From emitted derivatives to NVPTX IR ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which order are derivatives lowered?
//
// Atomics want to know their address space: so abstract operations become
// instructions, then gradients are inlined into the functions that ask for
// them (kernels, whose arguments point to global memory), then simplified and
// their address spaces inferred, then accumulations are finished.
//
//===----------------------------------------------------------------------===//

#include "lower/Lower.h"
#include "lower/Abstract.h"
#include "lower/Steps.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/EarlyCSE.h"
#include "llvm/Transforms/Scalar/InferAddressSpaces.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"

using namespace llvm;
using namespace kdiff;

/// The functions with derivative code.
static SetVector<Function *> touchedFunctions(Module &M,
                                              ArrayRef<Emitted> Gradients) {
  SetVector<Function *> Touched;
  for (const Emitted &E : Gradients) {
    Touched.insert(E.Gradient);
    Touched.insert(E.R.Call->getFunction());
  }
  for (Function &F : M)
    if (!F.isDeclaration() && F.getName().starts_with(DerivativePrefix))
      Touched.insert(&F);
    else if (abstractOp(F) != AbstractOp::None)
      for (User *U : F.users())
        Touched.insert(cast<Instruction>(U)->getFunction());
  return Touched;
}

/// Runs \p P on \p F also where the function or the user wants no
/// optimisation: adjoint slots in local memory are no one's intent.
template <class Pass>
static void run(Pass &&P, Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, P.run(F, FAM));
}

/// Addresses of sums that lie in slots become what was put there: which are a
/// constant apart can be seen then.
static void forwardSlots(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  run(SROAPass(SROAOptions::PreserveCFG), F, FAM);
  run(EarlyCSEPass(), F, FAM);
}

static void simplify(Function &F, FunctionAnalysisManager &FAM) {
  FAM.invalidate(F, PreservedAnalyses::none());
  run(SROAPass(SROAOptions::ModifyCFG), F, FAM);
  run(EarlyCSEPass(/*UseMemorySSA=*/true), F, FAM);
  run(InstCombinePass(), F, FAM);
  run(SimplifyCFGPass(), F, FAM);
  run(ADCEPass(), F, FAM);
  run(InferAddressSpacesPass(), F, FAM);
}

/// What a derivative was attached to is the value itself.
static void lowerAttachments(Module &M) {
  for (Function &F : make_early_inc_range(M)) {
    if (abstractOp(F) != AbstractOp::Attach)
      continue;
    for (User *U : make_early_inc_range(F.users())) {
      auto &CI = *cast<CallInst>(U);
      CI.replaceAllUsesWith(CI.getArgOperand(0));
      CI.eraseFromParent();
    }
    F.eraseFromParent();
  }
}

/// The declarations of what was replaced function by function.
static void eraseReplaced(Module &M) {
  for (Function &F : make_early_inc_range(M))
    if (abstractOp(F) == AbstractOp::Doubt ||
        abstractOp(F) == AbstractOp::Quotient)
      F.eraseFromParent();
}

bool kdiff::lower(Module &M, ArrayRef<Emitted> Gradients,
                  const LowerOptions &Options, ModuleAnalysisManager &MAM) {
  FunctionAnalysisManager &FAM =
      MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
  SetVector<Function *> Touched = touchedFunctions(M, Gradients);
  lowerAttachments(M);
  DenseSet<const Value *> Uniform = uniformArguments(M, Gradients);
  for (Function *F : Touched)
    lowerWarpSums(*F, FAM, Uniform);
  lowerTape(M);
  lowerSync(M);
  for (Function *F : Touched) {
    forwardSlots(*F, FAM);
    lowerChunks(*F, FAM);
    lowerStencils(*F, FAM);
  }
  lowerGathers(M);
  lowerSums(M);
  lowerAccumulations(M);
  placeFrames(Gradients);
  if (!replaceRequests(Gradients, Touched, FAM))
    return false;
  for (Function *F : Touched) {
    mapIntrinsics(*F);
    simplify(*F, FAM);
    shareLoopsOut(*F, FAM);
    partJoins(*F, FAM);
    versionLoops(*F, FAM);
    unrollSegments(*F, FAM);
    finishAccumulations(*F);
    lowerQuotients(*F);
    FAM.invalidate(*F, PreservedAnalyses::none());
  }
  eraseReplaced(M);
  linkShareRuntime(M);
  linkLinesRuntime(M);
  return linkLibdevice(M, Options.Libdevice);
}

PreservedAnalyses LowerPass::run(Module &M, ModuleAnalysisManager &MAM) {
  lower(M, {}, Options, MAM);
  return PreservedAnalyses::none();
}
