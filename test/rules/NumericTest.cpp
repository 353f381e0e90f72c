//===- NumericTest.cpp - Every row against differences --------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: is each formula of the table the derivative of
// its operation, in double and in float, and finite where it claims to be?
//
// A row's accurate double is compared with central differences of itself; its
// other spellings with that one at the same point. A row is tested by being
// in the table; an operation by being in libdevice or among the intrinsics.
//
//===----------------------------------------------------------------------===//
#include "Laboratory.h"
#include "Points.h"
#include "gtest/gtest.h"
#include <cfloat>
#include <cmath>

using namespace llvm;
using namespace kdiff;
using namespace kdiff::test;

namespace {

bool isRough(const Specimen &S) {
  return S.quality() != Quality::Accurate ||
         StringRef(S.Label).contains("approx") ||
         StringRef(S.Label).contains(".full.") ||
         StringRef(S.Label).contains("rcp64h");
}

class EveryRow : public testing::TestWithParam<unsigned> {
protected:
  Laboratory &Lab = Laboratory::get();
  const Specimen &S = Lab.specimens()[GetParam()];

  void compareWithDifferences(unsigned K, ArrayRef<Point> Points);
  void compareWithReference(const Specimen &Reference, ArrayRef<Point> Points);
};

/// Central differences with steps h and h/2, extrapolated (Richardson): the
/// error is of order h^4, and rounding adds about epsilon * |y| / h.
void EveryRow::compareWithDifferences(unsigned K, ArrayRef<Point> Points) {
  bool IsDouble = S.Operands[K]->isDoubleTy() && S.row() != "fptrunc";
  double H = IsDouble ? 0x1p-9 : 0x1p-6;
  double Epsilon = IsDouble ? DBL_EPSILON : FLT_EPSILON;
  std::vector<Point> Around;
  for (const Point &P : Points)
    for (double Step : {0.0, H, -H, H / 2, -H / 2}) {
      Around.push_back(P);
      Around.back()[K] += Step;
    }
  std::vector<Measured> M = Lab.measure(S, Around);
  for (unsigned I = 0; I != Points.size(); ++I) {
    const Measured *At = &M[5 * I];
    double Coarse = (At[1].Value - At[2].Value) / (2 * H);
    double Fine = (At[3].Value - At[4].Value) / H;
    double Expected = (4 * Fine - Coarse) / 3;
    double Tolerance = 1e-7 * std::max(1.0, std::fabs(Expected)) +
                       16 * Epsilon * std::fabs(At[0].Value) / H;
    EXPECT_NEAR(At[0].Partials[K], Expected, Tolerance)
        << "by operand " << K << " at " << testing::PrintToString(Points[I]);
  }
}

void EveryRow::compareWithReference(const Specimen &Reference,
                                    ArrayRef<Point> Points) {
  double Relative =
      isRough(S)                                                     ? 2e-4
      : S.Operands[0]->isFloatTy() || S.Operands.back()->isFloatTy() ? 1e-5
                                                                     : 1e-12;
  std::vector<Measured> Mine = Lab.measure(S, Points);
  std::vector<Measured> Theirs = Lab.measure(Reference, Points);
  for (unsigned I = 0; I != Points.size(); ++I)
    for (unsigned K = 0; K != S.Operands.size(); ++K)
      EXPECT_NEAR(Mine[I].Partials[K], Theirs[I].Partials[K],
                  Relative * std::max(1.0, std::fabs(Theirs[I].Partials[K])))
          << "by operand " << K << " at " << testing::PrintToString(Points[I]);
}

TEST_P(EveryRow, IsTheDerivative) {
  std::vector<Point> Points = ordinaryPoints(S);
  const Specimen &Reference = Lab.reference(S);
  if (&Reference != &S)
    return compareWithReference(Reference, Points);
  for (unsigned K = 0; K != S.Operands.size(); ++K)
    if (S.Operands[K]->isFloatingPointTy())
      compareWithDifferences(K, Points);
}

TEST_P(EveryRow, IsFiniteWhereItSaysSo) {
  std::vector<Point> Points = extremePoints(S);
  std::vector<Measured> M = Lab.measure(S, Points);
  for (unsigned K = 0; K != S.Operands.size(); ++K)
    if (S.isBounded(K))
      for (unsigned I = 0; I != Points.size(); ++I)
        EXPECT_TRUE(std::isfinite(M[I].Partials[K]))
            << "by operand " << K << " at "
            << testing::PrintToString(Points[I]);
}

TEST(Table, EveryRowIsMeasured) {
  Laboratory &Lab = Laboratory::get();
  auto IsMeasured = [&](StringRef Name) {
    return any_of(Lab.specimens(),
                  [&](const Specimen &S) { return S.row() == Name; });
  };
  // What is attached to a value is no operation; the norms are tested with it.
  for (const Row &R : rows())
    if (R.Name != "attach")
      EXPECT_TRUE(IsMeasured(R.Name)) << R.Name.str();
  for (const OutRow &R : outRows())
    EXPECT_TRUE(IsMeasured(R.Name)) << R.Name.str();
}

INSTANTIATE_TEST_SUITE_P(
    Table, EveryRow,
    testing::Range(0u, unsigned(Laboratory::get().specimens().size())),
    labelOf);

} // namespace
