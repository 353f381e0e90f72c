//===- Quotients.cpp - Derivatives by difference quotients ----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is a kernel's derivative by differences of
// the primal alone, and how far can that number be trusted?
//
//===----------------------------------------------------------------------===//

#include "check/Quotients.h"
#include "llvm/ADT/STLExtras.h"
#include <cmath>

using namespace llvm;

namespace kdiff::tool {

std::vector<std::string> differentiableNames(const Case &C) {
  std::vector<std::string> Names;
  for (const Argument &A : C.Args) {
    if (A.K != Argument::Struct && A.Act != Activity::Const)
      Names.push_back(A.Name);
    if (A.K == Argument::Struct)
      for (const Field &F : A.Fields)
        if (F.Buffer.empty() && F.Act == Activity::Active)
          Names.push_back(A.Name + "." + F.Name);
  }
  return Names;
}

std::vector<std::string> outputNames(const Case &C) {
  std::vector<std::string> Names;
  for (const Argument &A : C.Args)
    if (A.inMemory() && A.Act == Activity::Dup)
      Names.push_back(A.Name);
  return Names;
}

std::vector<std::pair<unsigned, Slot>> slotsOf(const Case &C, StringRef Name) {
  auto [ArgName, FieldName] = Name.split('.');
  unsigned Arg = C.indexOf(ArgName);
  const Argument &A = C.Args[Arg];
  std::vector<std::pair<unsigned, Slot>> Slots;
  if (const Field *F = A.field(FieldName))
    return {{Arg, {F->Offset, F->Type}}};
  for (size_t I = 0; I != A.slots(); ++I)
    if (Slot S = A.slot(I); isFloat(S.Type))
      Slots.push_back({Arg, S});
  return Slots;
}

Expected<PrimalFunction>
PrimalFunction::create(const Case &C, Device &D,
                       ArrayRef<std::string> VariableNames) {
  Expected<Memory> M = Memory::create(C, D, RunMode::Primal, {});
  if (!M)
    return M.takeError();
  PrimalFunction F(C, D, std::move(*M));
  for (const std::string &Name : VariableNames)
    if (Symbol S = D.symbol(Name); S.Where)
      F.Variables.push_back(S);
  auto Initial = F.M.snapshot(F.Variables);
  if (!Initial)
    return Initial.takeError();
  F.Initial = std::move(*Initial);
  for (const std::string &Name : differentiableNames(C))
    for (auto [Arg, S] : slotsOf(C, Name))
      F.Precision = std::fmax(F.Precision, epsilon(S.Type));
  // The error of the extrapolated quotient is of order h^4, that of rounding
  // of order precision / h.
  F.H = std::pow(F.Precision, 1.0 / 5);
  auto Base = F.evaluate({}, 0);
  if (!Base)
    return Base.takeError();
  F.Base = std::move(*Base);
  return F;
}

Expected<Vectors> PrimalFunction::evaluate(const Vectors &Direction,
                                           double Step) {
  if (Error E = M.restore(Initial, Variables))
    return std::move(E);
  std::map<unsigned, std::string> Images;
  for (const auto &[Name, Values] : Direction)
    for (auto [Place, V] : zip_equal(slotsOf(C, Name), Values)) {
      auto [Arg, S] = Place;
      std::string &Image =
          Images.insert({Arg, C.Args[Arg].Image}).first->second;
      Number N = decode(S.Type, &Image[S.Offset]);
      encode(S.Type, {N.Real + Step * V, 0, false}, &Image[S.Offset]);
    }
  for (auto [I, A] : enumerate(C.Args)) {
    auto It = Images.find(I);
    // By-value arguments too: the last evaluation may have moved them.
    if (It != Images.end() || !A.inMemory())
      if (Error E = M.setPrimal(I, It != Images.end() ? It->second : A.Image))
        return std::move(E);
  }
  const Launch &L = C.Launches.front();
  std::string Printed;
  if (Error E = D.launch(L.Kernel, L.Grid, L.Block, L.DynamicShared,
                         M.primalArguments(L), Printed))
    return std::move(E);
  Vectors Outputs;
  for (const std::string &Name : outputNames(C)) {
    auto Numbers = M.primal(Name);
    if (!Numbers)
      return Numbers.takeError();
    const Argument &A = *C.find(Name);
    for (auto [I, N] : enumerate(*Numbers))
      if (isFloat(A.slot(I).Type))
        Outputs[Name].push_back(N.Real);
  }
  return Outputs;
}

/// From the outputs at 0, +h, -h, +h/2, -h/2.
static Quotient quotient(double F0, double FP, double FM, double HP, double HM,
                         double H, double Precision) {
  double Wide = (FP - FM) / (2 * H), Narrow = (HP - HM) / H;
  Quotient Q;
  Q.Value = (4 * Narrow - Wide) / 3;
  double Rounding = 4 * Precision * std::fmax(std::fabs(F0), std::fabs(FP)) / H;
  Q.Doubt = std::fabs(Narrow - Wide) + Rounding;
  // At a smooth point the one-sided quotients differ by about h f''; at a
  // kink they do so however small the step is.
  double SideWide = (FP - F0) / H - (F0 - FM) / H;
  double SideNarrow = (HP - F0) / (H / 2) - (F0 - HM) / (H / 2);
  if (std::fabs(SideNarrow) > 0.75 * std::fabs(SideWide) &&
      std::fabs(SideNarrow) > 2 * Rounding)
    Q.Doubt += std::fabs(SideNarrow);
  return Q;
}

Expected<std::map<std::string, std::vector<Quotient>>>
PrimalFunction::derivative(const Vectors &Direction, unsigned Narrowing) {
  Vectors At[4];
  double Wide = step(Narrowing);
  const double Steps[4] = {Wide, -Wide, Wide / 2, -Wide / 2};
  for (auto [Outputs, Step] : zip_equal(At, Steps)) {
    auto V = evaluate(Direction, Step);
    if (!V)
      return V.takeError();
    Outputs = std::move(*V);
  }
  std::map<std::string, std::vector<Quotient>> Result;
  for (const auto &[Name, F0] : Base)
    for (size_t I = 0; I != F0.size(); ++I)
      Result[Name].push_back(quotient(F0[I], At[0][Name][I], At[1][Name][I],
                                      At[2][Name][I], At[3][Name][I], Wide,
                                      Precision));
  return Result;
}

} // namespace kdiff::tool
