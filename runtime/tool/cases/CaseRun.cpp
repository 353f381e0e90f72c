//===- CaseRun.cpp - One case on one device -------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which order do a case's launches run, with
// which memory, and what is compared afterwards?
//
//===----------------------------------------------------------------------===//

#include "cases/CaseRun.h"
#include "cases/Compare.h"
#include "cases/Lanes.h"
#include "cases/Memory.h"
#include "cases/Tape.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace kdiff::tool {

json::Value toJSON(const Program &P) {
  return json::Object{{"mode", name(P.Mode)},
                      {"width", P.Width},
                      {"gradients", json::Array(P.Gradients)},
                      {"gradient_of", json::Array(P.GradientOf)},
                      {"variables", json::Array(P.Variables)}};
}

bool fromJSON(const json::Value &V, Program &P, json::Path Path) {
  json::ObjectMapper O(V, Path);
  std::string Mode;
  if (!O || !O.map("mode", Mode) || !O.map("width", P.Width) ||
      !O.map("gradients", P.Gradients) || !O.map("gradient_of", P.GradientOf) ||
      !O.map("variables", P.Variables))
    return false;
  auto M = parseRunMode(Mode);
  if (!M) {
    Path.field("mode").report("unknown mode");
    return false;
  }
  P.Mode = *M;
  return true;
}

namespace {
class Runner {
public:
  Runner(const Case &C, const Program &P, Device &D, Memory &M)
      : C(C), P(P), D(D), M(M) {}

  Error run();
  std::vector<std::string> Differences;

private:
  Error runPrimal(const Launch &L);
  Error runGradient(size_t Index);
  Error runReverse();
  Error runHalf(const Launch &L, const Signature &S, Address Tape);
  Error runSplit();
  Error comparePrimal(StringRef What, bool InGradient);
  Error compareDerivatives();
  Error compareWhole(const LaneWhole &Whole);
  void comparePrinted();

  const Case &C;
  const Program &P;
  Device &D;
  Memory &M;
  std::optional<Tape> T;
  std::string PrimalPrinted, GradientPrinted;
};
} // namespace

Error Runner::runPrimal(const Launch &L) {
  return D.launch(L.Kernel, L.Grid, L.Block, L.DynamicShared,
                  M.primalArguments(L), PrimalPrinted);
}

Error Runner::runGradient(size_t Index) {
  const Launch &L = C.Launches[Index];
  const Signature &S = P.Gradients[P.GradientOf[Index]];
  if (S.NeedsTape && !T) {
    Expected<Tape> New = Tape::create(D);
    if (!New)
      return New.takeError();
    T = std::move(*New);
  }
  if (S.NeedsTape)
    if (Error E = T->reset(L.Grid, L.Block))
      return E;
  if (Error E =
          D.launch(S.Kernel, L.Grid, L.Block, S.dynamicShared(L.DynamicShared),
                   M.gradientArguments(L, S), GradientPrinted))
    return E;
  return S.NeedsTape ? T->check() : Error::success();
}

Error Runner::runReverse() {
  SmallVector<Symbol> Variables;
  for (const std::string &Name : P.Variables)
    if (Symbol S = D.symbol(Name); S.Where)
      Variables.push_back(S);
  std::vector<Memory::Snapshot> Before;
  for (const Launch &L : C.Launches) {
    Expected<Memory::Snapshot> S = M.snapshot(Variables);
    if (!S)
      return S.takeError();
    Before.push_back(std::move(*S));
    if (Error E = runPrimal(L))
      return E;
  }
  if (Error E = comparePrimal("primal", false))
    return E;
  for (size_t I = C.Launches.size(); I-- > 0;) {
    if (Error E = M.restore(Before[I], Variables))
      return E;
    if (Error E = runGradient(I))
      return E;
    // The last launch's gradient has left what the primal launches left.
    if (I + 1 == C.Launches.size())
      if (Error E = comparePrimal("primal in the gradient", true))
        return E;
  }
  return Error::success();
}

Error Runner::runHalf(const Launch &L, const Signature &S, Address Tape) {
  if (Error E =
          D.launch(S.Kernel, L.Grid, L.Block, S.dynamicShared(L.DynamicShared),
                   M.gradientArguments(L, S, Tape), GradientPrinted))
    return E;
  return checkTape(D, Tape);
}

Error Runner::runSplit() {
  std::vector<Address> Tapes;
  for (auto [I, L] : enumerate(C.Launches)) {
    Expected<Address> New = makeSplitTape(D, L.Grid, L.Block);
    if (!New)
      return New.takeError();
    Tapes.push_back(*New);
    if (Error E = runHalf(L, P.Gradients[P.GradientOf[I]], Tapes[I]))
      return E;
  }
  if (Error E = comparePrimal("augmented primal", true))
    return E;
  for (size_t I = C.Launches.size(); I-- > 0;)
    if (Error E =
            runHalf(C.Launches[I], P.Gradients[P.GradientOf[I] + 1], Tapes[I]))
      return E;
  return Error::success();
}

Error Runner::comparePrimal(StringRef What, bool InGradient) {
  NumberTable Expected = C.ExpectPrimal;
  if (InGradient)
    for (const Argument &A : C.Args)
      if (A.M == Mark::NoNeed || A.M == Mark::SeedNoNeed)
        Expected.erase(A.Name);
  return compare(
      C, Expected, [&](StringRef Name) { return M.primal(Name); },
      {What.str(), false, false}, Differences);
}

Error Runner::compareDerivatives() {
  for (const LaneWhole &Whole : laneWholes(P.Width))
    if (Error E = compareWhole(Whole))
      return E;
  return Error::success();
}

Error Runner::compareWhole(const LaneWhole &Whole) {
  auto Actual = [&](StringRef Name) {
    return sumOfLanes(Whole,
                      [&](unsigned Lane) { return M.derivative(Name, Lane); });
  };
  auto Name = [&](StringRef What) {
    return What.str() + nameOf(Whole, P.Width);
  };
  if (P.Mode == RunMode::Forward)
    return compare(C, C.ExpectTangent, Actual, {Name("tangent"), true, false},
                   Differences);
  if (Error E = compare(C, C.ExpectShadow, Actual, {Name("shadow"), true, true},
                        Differences))
    return E;
  return compareSums(C, Actual, Differences);
}

/// Side effects of the primal happen once: what a gradient prints is what the
/// primal prints. Threads may print in any order.
void Runner::comparePrinted() {
  auto Lines = [](StringRef Text) {
    SmallVector<StringRef> L;
    Text.split(L, '\n', -1, /*KeepEmpty=*/false);
    llvm::sort(L);
    return L;
  };
  if (Lines(PrimalPrinted) != Lines(GradientPrinted))
    Differences.push_back("the gradient does not print what the primal prints");
}

Error Runner::run() {
  switch (P.Mode) {
  case RunMode::Primal:
    for (const Launch &L : C.Launches)
      if (Error E = runPrimal(L))
        return E;
    return comparePrimal("primal", false);
  case RunMode::Forward:
    for (size_t I = 0; I != C.Launches.size(); ++I)
      if (Error E = runGradient(I))
        return E;
    if (Error E = comparePrimal("primal in the gradient", true))
      return E;
    return compareDerivatives();
  case RunMode::Reverse:
    if (Error E = runReverse())
      return E;
    comparePrinted();
    return compareDerivatives();
  case RunMode::Split:
    if (Error E = runSplit())
      return E;
    return compareDerivatives();
  }
  llvm_unreachable("all modes handled");
}

Expected<std::vector<std::string>> runCase(const Case &C, const Program &P,
                                           Device &D) {
  const NumberTable &Initial = P.Mode == RunMode::Forward ? C.Tangent : C.Seed;
  // Both halves of split mode use what reverse mode uses.
  Expected<Memory> M =
      Memory::create(C, D, P.Mode == RunMode::Split ? RunMode::Reverse : P.Mode,
                     dealToLanes(Initial, P.Width));
  if (!M)
    return M.takeError();
  Runner R(C, P, D, *M);
  if (Error E = R.run())
    return std::move(E);
  return std::move(R.Differences);
}

} // namespace kdiff::tool
