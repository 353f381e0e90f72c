//===- Points.cpp - Where operations are tested ---------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how are points chosen?
//
//===----------------------------------------------------------------------===//
#include "Points.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <cfloat>
#include <cmath>

using namespace llvm;

namespace kdiff::test {

/// The fractional part of I times an irrational number: evenly spread over
/// (0, 1), and at no step of a step function.
static double spread(unsigned I, unsigned K) {
  constexpr unsigned Primes[] = {2, 3, 5, 7};
  double Whole;
  return std::modf(I * std::sqrt(Primes[K]), &Whole);
}

std::vector<Point> ordinaryPoints(const Specimen &S) {
  std::vector<Point> Points;
  for (unsigned I = 1; I <= 24; ++I) {
    Point P;
    for (auto [K, Ty] : enumerate(S.Operands)) {
      Domain D = S.domain(K);
      if (Ty->isIntegerTy()) // An order of a Bessel function, or an exponent.
        P.push_back(K == 0 ? I % 5 : I % 7 - 3.0);
      else // Exact in float: both precisions see the same point.
        P.push_back(float(D.Lo + spread(I, K) * (D.Hi - D.Lo)));
    }
    Points.push_back(P);
  }
  return Points;
}

std::vector<Point> extremePoints(const Specimen &S) {
  bool IsDouble = S.Operands[0]->isDoubleTy();
  double Huge = IsDouble ? DBL_MAX : FLT_MAX;
  double Tiny = IsDouble ? 0x1p-1074 : 0x1p-149;
  std::vector<double> Extremes{0, -0.0, 1, -INFINITY, INFINITY};
  if (S.Operands.size() < 3)
    Extremes.insert(Extremes.end(), {Tiny, -Tiny, -1, 1.5, -1.5, Huge, -Huge});
  std::vector<Point> Points{Point()};
  for (Type *Ty : S.Operands) {
    std::vector<Point> Longer;
    for (const Point &P : Points)
      for (double V :
           Ty->isFloatingPointTy() ? Extremes : std::vector<double>{0}) {
        Longer.push_back(P);
        Longer.back().push_back(V);
      }
    Points = std::move(Longer);
  }
  return Points;
}

std::string labelOf(const testing::TestParamInfo<unsigned> &Info) {
  std::string Label = Laboratory::get().specimens()[Info.param].Label;
  for (char &C : Label)
    if (!isAlnum(C))
      C = '_';
  return Label;
}

} // namespace kdiff::test
