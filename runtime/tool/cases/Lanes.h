//===- Lanes.h - Many seeds from one ----------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which seeds (or tangents) do the lanes of a
// gradient get, and what must come out, given one seed and what comes of it?
//
// Derivatives are linear in the seed. Lane 0 has the seed itself, lane 1 the
// seed times -1/2. The others share it: its numbers are dealt out to them in
// turn, times 2 and 1/2 by turns, so that what comes of them adds up. All
// factors are powers of two, which round nothing.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_LANES_H
#define KDIFF_TOOL_CASES_LANES_H

#include "cases/CaseFile.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace kdiff::tool {

/// The numbers of each of \p Width lanes; they have the entries of \p Whole.
std::vector<NumberTable> dealToLanes(const NumberTable &Whole, unsigned Width);

/// Lanes whose derivatives, each times its factor, add up to the seed's.
struct LaneShare {
  unsigned Lane;
  double Factor;
};
using LaneWhole = std::vector<LaneShare>;
/// Every lane is in one of them.
std::vector<LaneWhole> laneWholes(unsigned Width);

/// "" for the only lane there is, else " of lane 1", " of lanes 2 to 3".
std::string nameOf(const LaneWhole &Whole, unsigned Width);

/// The sum, number by number; integers are as in the first lane.
llvm::Expected<std::vector<Number>> sumOfLanes(
    const LaneWhole &Whole,
    llvm::function_ref<llvm::Expected<std::vector<Number>>(unsigned)> InLane);

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_LANES_H
