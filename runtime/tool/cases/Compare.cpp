//===- Compare.cpp - Are the numbers the expected ones? -------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which numbers differ from those that a case
// expects, by its tolerances and its rules for ties?
//
//===----------------------------------------------------------------------===//

#include "cases/Compare.h"
#include "llvm/Support/FormatVariadic.h"
#include <cmath>

using namespace llvm;

namespace kdiff::tool {

namespace {
/// The elements of one entry that differ.
struct Mismatches {
  size_t Count = 0, Worst = 0;
  double WorstExcess = -1;

  void add(size_t Index, double Excess) {
    ++Count;
    // Not a number is worse than anything.
    if (std::isnan(Excess))
      Excess = HUGE_VAL;
    if (Excess > WorstExcess) {
      WorstExcess = Excess;
      Worst = Index;
    }
  }
};
} // namespace

static ElementType typeOf(const Case &C, StringRef Name, size_t Index) {
  auto [ArgName, FieldName] = Name.split('.');
  const Argument *A = C.find(ArgName);
  const Field *F = A->field(FieldName);
  return F ? F->Type : A->slot(Index).Type;
}

static const Range *acceptedRange(const Case &C, StringRef Name, size_t Index) {
  auto Entry = C.Accept.find(Name.str());
  if (Entry == C.Accept.end())
    return nullptr;
  auto It = Entry->second.find(Index);
  return It == Entry->second.end() ? nullptr : &It->second;
}

/// By how much \p Value is beyond the tolerance; NaN if it is not a number;
/// nothing if it matches.
static std::optional<double> excess(const Case &C, const Number &Value,
                                    const Number &Expected, const Range *Tie) {
  if (Value.IsInteger && Expected.IsInteger) {
    if (Value.Integer == Expected.Integer)
      return std::nullopt;
    return std::fabs(Value.Real - Expected.Real);
  }
  double V = Value.Real, E = Expected.Real;
  if (Tie)
    E = std::fmin(std::fmax(V, Tie->Low), Tie->High);
  double Allowed = C.ATol + C.RTol * std::fabs(E);
  if (V == E || std::fabs(V - E) <= Allowed || (std::isnan(V) && std::isnan(E)))
    return std::nullopt;
  return std::fabs(V - E) - Allowed;
}

Error compare(const Case &C, const NumberTable &Expected, NumberSource Actual,
              const CompareOptions &Options,
              std::vector<std::string> &Differences) {
  for (const auto &[Name, Wanted] : Expected) {
    auto Values = Actual(Name);
    if (!Values)
      return Values.takeError();
    Mismatches Wrong;
    for (size_t I = 0; I != Wanted.size(); ++I) {
      if (Options.FloatsOnly && !isFloat(typeOf(C, Name, I)))
        continue;
      const Range *Tie =
          Options.AcceptTies ? acceptedRange(C, Name, I) : nullptr;
      if (auto Excess = excess(C, (*Values)[I], Wanted[I], Tie))
        Wrong.add(I, *Excess);
    }
    if (!Wrong.Count)
      continue;
    Differences.push_back(formatv(
        "{0} {1}[{2}] = {3}, expected {4} ({5} of {6} differ)", Options.What,
        Name, Wrong.Worst, toText((*Values)[Wrong.Worst].Real),
        toText(Wanted[Wrong.Worst].Real), Wrong.Count, Wanted.size()));
  }
  return Error::success();
}

Error compareSums(const Case &C, NumberSource Actual,
                  std::vector<std::string> &Differences) {
  for (const SumRule &Rule : C.AcceptSum) {
    double Sum = 0;
    std::string Text;
    for (const ElementRef &E : Rule.Elements) {
      auto Values = Actual(E.Name);
      if (!Values)
        return Values.takeError();
      Sum += Values->at(E.Index).Real;
      Text +=
          formatv("{0}{1}[{2}]", Text.empty() ? "" : " + ", E.Name, E.Index);
    }
    if (!(std::fabs(Sum - Rule.Sum) <= C.ATol + C.RTol * std::fabs(Rule.Sum)))
      Differences.push_back(formatv("shadows {0} = {1}, expected {2}", Text,
                                    toText(Sum), toText(Rule.Sum)));
  }
  return Error::success();
}

} // namespace kdiff::tool
