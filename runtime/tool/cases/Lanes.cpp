//===- Lanes.cpp - Many seeds from one ------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: see Lanes.h.
//
//===----------------------------------------------------------------------===//

#include "cases/Lanes.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>

using namespace llvm;

namespace kdiff::tool {

/// Lanes that have the whole seed; those behind share it.
static constexpr unsigned Entire = 2;

/// What the seed's numbers are multiplied by in lane \p Lane.
static double factorOf(unsigned Lane) {
  if (Lane < Entire)
    return Lane == 0 ? 1 : -0.5;
  return Lane % 2 == 0 ? 2 : 0.5;
}

static Number scaled(const Number &N, double Factor) {
  return {N.Real * Factor, 0, false};
}

std::vector<NumberTable> dealToLanes(const NumberTable &Whole, unsigned Width) {
  if (Width == 1)
    return {Whole};
  std::vector<NumberTable> Lanes(Width);
  unsigned Sharers = Width > Entire ? Width - Entire : 1;
  unsigned Turn = 0;
  for (const auto &[Name, Numbers] : Whole)
    for (const Number &N : Numbers) {
      unsigned Sharer = Entire + Turn++ % Sharers;
      for (unsigned Lane = 0; Lane != Width; ++Lane)
        Lanes[Lane][Name].push_back(Lane < Entire || Lane == Sharer
                                        ? scaled(N, factorOf(Lane))
                                        : Number());
    }
  return Lanes;
}

std::vector<LaneWhole> laneWholes(unsigned Width) {
  std::vector<LaneWhole> Wholes;
  for (unsigned Lane = 0; Lane != Width; ++Lane) {
    if (Lane <= Entire)
      Wholes.emplace_back();
    Wholes.back().push_back({Lane, 1 / factorOf(Lane)});
  }
  return Wholes;
}

std::string nameOf(const LaneWhole &Whole, unsigned Width) {
  if (Width == 1)
    return "";
  std::string First = std::to_string(Whole.front().Lane);
  if (Whole.size() == 1)
    return " of lane " + First;
  return " of lanes " + First + " to " + std::to_string(Whole.back().Lane);
}

Expected<std::vector<Number>>
sumOfLanes(const LaneWhole &Whole,
           function_ref<Expected<std::vector<Number>>(unsigned)> InLane) {
  std::vector<Number> Sum;
  for (const LaneShare &Share : Whole) {
    auto Numbers = InLane(Share.Lane);
    if (!Numbers)
      return Numbers.takeError();
    bool IsFirst = Sum.empty();
    if (IsFirst)
      Sum = *Numbers;
    for (auto [To, From] : zip_equal(Sum, *Numbers))
      if (!From.IsInteger)
        To.Real = (IsFirst ? 0 : To.Real) + From.Real * Share.Factor;
  }
  return Sum;
}

} // namespace kdiff::tool
