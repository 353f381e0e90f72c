//===- KDiffPass.cpp - The line of stages -----------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which order do the stages run?
//
//===----------------------------------------------------------------------===//

#include "KDiffPass.h"
#include "analysis/Supported.h"
#include "emit/Carved.h"
#include "emit/Facts.h"
#include "emit/Forward.h"
#include "emit/Limits.h"
#include "emit/Reverse.h"
#include "emit/TapeBytes.h"
#include "plan/Marks.h"
#include "plan/Stale.h"
#include "plan/Unwanted.h"
#include "request/StandIns.h"
#include "shadow/Clearing.h"
#include "shadow/Width.h"
#include "support/Diagnostics.h"
#include "target/NVPTX.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Scalar/ADCE.h"
#include "llvm/Transforms/Scalar/SROA.h"
#include "llvm/Transforms/Utils/Cloning.h"

using namespace llvm;
using namespace kdiff;

namespace {

/// How far the line runs, and what it shows on the way.
struct Line {
  FunctionAnalysisManager &FAM;
  Stage Last;
  raw_ostream *OS; ///< Prints the result of stage Last; null: nothing.

  bool endsWith(Stage S) const { return S == Last; }

  Callees Calls;

  std::optional<Emitted> differentiate(const Request &R);
  std::optional<Subject> prepareSubject(const Request &R, Shape Kind);
  bool derive(Subject &S, const Request &R, BasicBlock *&Cut);
  bool deriveCallees();
};

} // namespace

/// From the prepared primal to its derivative, in place. False where that is
/// not possible (reported).
bool Line::derive(Subject &S, const Request &R, BasicBlock *&Cut) {
  Function &F = *S.P.F;
  Activity A(F, S.activities(), S.Result, S.OwnsLaunch);
  if (OS && endsWith(Stage::Analyse))
    A.print(*OS);
  Left Memory = S.S == Shape::Request  ? Left::All
                : S.S == Shape::Callee ? Left::Shared
                                       : Left::Global;
  if (!checkSupported(F, A, S.M, Memory))
    return false;
  if (endsWith(Stage::Analyse))
    return true;
  if (!checkWidth(S, A))
    return false;
  Shadows Sh(S, A);
  if (!Sh.isComplete() || (R.Call && !checkClearing(S, Sh, *R.Call)))
    return false;
  if (S.M == Mode::Forward) {
    SmallVector<Instruction *, 8> Unwanted = findUnwanted(S, nullptr, FAM);
    limitDynamicShared(S, Sh);
    keepArraysApart(S, A);
    emitForward(S, A, Sh, Calls);
    eraseUnwanted(Unwanted);
    return true;
  }
  std::optional<SeedTests> Tests = checkMarks(S, A, FAM);
  if (!Tests)
    return false;
  Flow Fl(S, A, FAM.getResult<DominatorTreeAnalysis>(F),
          FAM.getResult<LoopAnalysis>(F));
  Plan P = makePlan(S, A, Sh, Fl, *Tests, FAM);
  if (!P.IsPossible || !checkTape(P, S))
    return false;
  if (OS && endsWith(Stage::Plan))
    P.print(*OS);
  if (endsWith(Stage::Plan))
    return true;
  limitDynamicShared(S, Sh);
  keepArraysApart(S, A);
  Cut = emitReverse(S, A, Sh, P, Fl, Calls);
  return true;
}

/// A net under emit: what is not valid IR must not reach LLVM's passes.
static bool isValid(const Function &F, const Request &R) {
  if (!verifyFunction(F))
    return true;
  reportUnsupported(*R.Primal,
                    "'" + R.Primal->getName() +
                        "': this is a fault of KDiff, which made an invalid "
                        "derivative",
                    "please report it with the function's source");
  return false;
}

std::optional<Subject> Line::prepareSubject(const Request &R, Shape Kind) {
  std::optional<Prepared> P = prepare(*R.Primal, R.M, FAM);
  if (!P)
    return std::nullopt;
  if (Kind == Shape::Split)
    claimExtremes(*P->F);
  if (OS && endsWith(Stage::Prepare))
    P->print(*OS);
  FAM.clear(*P->F, P->F->getName());
  return makeSubject(std::move(*P), R, Kind);
}

std::optional<Emitted> Line::differentiate(const Request &R) {
  if (OS && endsWith(Stage::Request))
    R.print(*OS);
  if (endsWith(Stage::Request))
    return Emitted{R, nullptr};
  std::optional<Subject> S = prepareSubject(
      R, R.Wanted == Product::Gradient ? Shape::Request : Shape::Split);
  if (!S)
    return std::nullopt;
  BasicBlock *Cut = nullptr;
  bool Derived =
      endsWith(Stage::Prepare) || (derive(*S, R, Cut) && isValid(*S->P.F, R));
  FAM.clear(*S->P.F, S->P.F->getName());
  if (Derived && Cut && S->S == Shape::Split) {
    Function *Half = takeHalf(*S, Cut);
    if (R.Wanted != Product::TapeBytes ||
        countTapeBytes(*Half, FAM.getResult<AAManager>(*Half))) {
      FAM.clear(*Half, Half->getName());
      return Emitted{R, Half};
    }
    FAM.clear(*Half, Half->getName());
    Half->eraseFromParent();
    return std::nullopt;
  }
  if (Derived)
    return Emitted{R, S->P.F};
  S->P.F->eraseFromParent();
  return std::nullopt;
}

/// The derivatives of the functions that stay calls, and of those that these
/// call. False if one is not possible (reported).
bool Line::deriveCallees() {
  while (const Callee *C = Calls.nextPending()) {
    if (adoptRule(*C))
      continue;
    std::optional<Subject> S = prepareSubject(C->R, Shape::Callee);
    BasicBlock *Cut = nullptr;
    if (!S || !derive(*S, C->R, Cut) || !isValid(*S->P.F, C->R))
      return false;
    FAM.clear(*S->P.F, S->P.F->getName());
    if (C->R.M == Mode::Forward)
      adoptTangent(*C, *S);
    else
      cutInTwo(*C, *S, Cut);
  }
  return true;
}

/// Tells the host what it asked about the derivatives, read off copies in
/// which values are registers again and nothing is left that nobody uses.
static void describeAll(ArrayRef<Emitted> Gradients,
                        FunctionAnalysisManager &FAM) {
  for (const Emitted &E : Gradients) {
    if (!E.R.Facts)
      continue;
    ValueToValueMapTy Map;
    Function &Copy = *CloneFunction(E.Gradient, Map);
    FAM.invalidate(Copy, SROAPass(SROAOptions::ModifyCFG).run(Copy, FAM));
    ADCEPass().run(Copy, FAM);
    describe(Copy, E.R);
    FAM.clear(Copy, Copy.getName());
    Copy.eraseFromParent();
  }
}

/// Runs the line on every request, also behind one that fails, so that all
/// errors are seen at once. Nothing if one failed.
static std::optional<SmallVector<Emitted, 4>>
differentiateAll(ArrayRef<Request> Requests, Line L) {
  SmallVector<Emitted, 4> Gradients;
  for (const Request &R : Requests)
    if (std::optional<Emitted> E = L.differentiate(R))
      Gradients.push_back(*E);
  if (L.deriveCallees() && Gradients.size() == Requests.size()) {
    if (!L.OS && L.Last >= Stage::Emit)
      describeAll(Gradients, L.FAM);
    return Gradients;
  }
  for (const Emitted &E : Gradients)
    if (E.Gradient)
      E.Gradient->dropAllReferences();
  L.Calls.erase();
  for (const Emitted &E : Gradients)
    if (E.Gradient)
      E.Gradient->eraseFromParent();
  return std::nullopt;
}

static FunctionAnalysisManager &functionAnalyses(Module &M,
                                                 ModuleAnalysisManager &MAM) {
  return MAM.getResult<FunctionAnalysisManagerModuleProxy>(M).getManager();
}

PreservedAnalyses KDiffPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!nvptx::isDeviceModule(M))
    return PreservedAnalyses::all();
  bool HadStandIns = takeStandIns(M);
  auto Requests = collectRequests(M);
  if (Requests && Requests->empty())
    return HadStandIns ? PreservedAnalyses::none() : PreservedAnalyses::all();
  std::optional<SmallVector<Emitted, 4>> Gradients;
  if (Requests)
    Gradients = differentiateAll(
        *Requests, {functionAnalyses(M, MAM), Opts.StopAfter, nullptr, {}});
  if (Gradients && Opts.StopAfter == Stage::Lower)
    lower(M, *Gradients, Opts.Lower, MAM);
  else if (!Gradients)
    discardRequests(M);
  return PreservedAnalyses::none();
}

PreservedAnalyses KDiffPrinterPass::run(Module &M, ModuleAnalysisManager &MAM) {
  if (!nvptx::isDeviceModule(M))
    return PreservedAnalyses::all();
  std::unique_ptr<Module> Copy = CloneModule(M);
  takeStandIns(*Copy);
  if (auto Requests = collectRequests(*Copy))
    differentiateAll(*Requests, {functionAnalyses(M, MAM), Printed, &OS, {}});
  return PreservedAnalyses::all();
}
