//===- CheckTest.cpp - Checks against differences -------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a check fail when a gradient is wrong, and
// own up when it cannot tell?
//
//===----------------------------------------------------------------------===//

#include "check/Check.h"
#include "HostDevice.h"
#include <cmath>
#include <gtest/gtest.h>

using namespace kdiff::tool;
using llvm::ArrayRef;

namespace {
constexpr int N = 40;

/// y[i] = f(x[i]) in double precision, with whatever derivative a test gives.
class Check : public testing::Test {
protected:
  Case C;
  HostDevice D;
  double (*Function)(double) = nullptr;
  std::function<double(int, double)> Derivative;

  void SetUp() override {
    for (const char *Name : {"x", "y"}) {
      Argument A;
      A.Name = Name;
      A.Type = ElementType::F64;
      A.Act = Activity::Dup;
      A.Count = N;
      A.Stride = 8;
      A.Image.assign(8 * N, '\0');
      for (int I = 0; I != N && A.Name == "x"; ++I)
        encode(A.Type, {0.5 + 0.25 * I, 0, false}, &A.Image[8 * I]);
      C.Args.push_back(A);
    }
    Launch L;
    L.Kernel = "f";
    L.Args = {"x", "y"};
    C.Launches = {L};
    D.Kernels["f"] = [this](ArrayRef<void *> A) {
      double *X = argument<double *>(A, 0), *Y = argument<double *>(A, 1);
      for (int I = 0; I != N; ++I)
        Y[I] = Function(X[I]);
    };
    D.Kernels["f_rev"] = [this](ArrayRef<void *> A) {
      double *X = argument<double *>(A, 0), *DX = argument<double *>(A, 1);
      double *DY = argument<double *>(A, 3);
      for (int I = 0; I != N; ++I) {
        DX[I] += DY[I] * Derivative(I, X[I]);
        DY[I] = 0;
      }
    };
    D.Kernels["f_fwd"] = [this](ArrayRef<void *> A) {
      double *X = argument<double *>(A, 0), *DX = argument<double *>(A, 1);
      double *DY = argument<double *>(A, 3);
      for (int I = 0; I != N; ++I)
        DY[I] = DX[I] * Derivative(I, X[I]);
    };
  }

  /// With two lanes the shadows of lane 1 are not touched.
  std::vector<CheckRow> check(RunMode Mode, unsigned Width = 1) {
    Signature S;
    S.Kernel = Mode == RunMode::Reverse ? "f_rev" : "f_fwd";
    S.Mode = Mode;
    S.Params = {{"x", "ptr", Role::Primal, 0, 8, false},
                {"d_x", "ptr", Role::Shadow, 0, 8, false},
                {"y", "ptr", Role::Primal, 1, 8, false},
                {"d_y", "ptr", Role::Shadow, 1, 8, false}};
    Program P;
    P.Mode = Mode;
    P.Width = Width;
    P.Gradients = {S};
    P.GradientOf = {0};
    auto G = runGradient(C, P, D, {});
    EXPECT_TRUE(bool(G));
    auto F = PrimalFunction::create(C, D, {});
    EXPECT_TRUE(bool(F));
    std::vector<CheckRow> All;
    for (const GradientResult &Lane : *G) {
      auto Rows = checkGradient(C, Lane, *F, {});
      EXPECT_TRUE(bool(Rows));
      All.insert(All.end(), Rows->begin(), Rows->end());
    }
    return All;
  }
  static bool passed(ArrayRef<CheckRow> Rows) {
    return llvm::all_of(Rows, [](const CheckRow &R) { return R.Passed; });
  }
};

double cube(double X) { return X * X * X; }
double cubePrime(int, double X) { return 3 * X * X; }
} // namespace

TEST_F(Check, ARightDerivativePasses) {
  Function = cube;
  Derivative = cubePrime;
  auto Reverse = check(RunMode::Reverse);
  ASSERT_EQ(Reverse.size(), 3u);
  EXPECT_TRUE(passed(Reverse));
  for (const CheckRow &R : Reverse) {
    EXPECT_EQ(R.Undecided, 0u);
    EXPECT_LT(R.RelativeError, 1e-9);
  }
  EXPECT_TRUE(passed(check(RunMode::Forward)));
}

TEST_F(Check, EachLaneIsChecked) {
  Function = cube;
  Derivative = cubePrime;
  auto Rows = check(RunMode::Reverse, 2);
  ASSERT_EQ(Rows.size(), 6u);
  EXPECT_TRUE(Rows[0].Passed);
  EXPECT_FALSE(Rows[3].Passed);
  EXPECT_EQ(Rows[3].Name, "x lane 1");
}

TEST_F(Check, AZeroDerivativeFails) {
  Function = cube;
  Derivative = [](int, double) { return 0.0; };
  EXPECT_FALSE(check(RunMode::Reverse)[0].Passed);
  EXPECT_FALSE(check(RunMode::Forward)[1].Passed);
}

TEST_F(Check, ASmallErrorFails) {
  Function = cube;
  Derivative = [](int, double X) { return 3.0001 * X * X; };
  EXPECT_FALSE(passed(check(RunMode::Reverse)));
  EXPECT_FALSE(passed(check(RunMode::Forward)));
}

TEST_F(Check, OneWrongElementFailsWhereverItIs) {
  Function = cube;
  for (int Wrong = 0; Wrong < N; Wrong += 13) {
    Derivative = [=](int I, double X) { return I == Wrong ? 0 : 3 * X * X; };
    // Too small to be sampled for certain; the scalar product has it.
    EXPECT_FALSE(passed(check(RunMode::Reverse))) << Wrong;
    EXPECT_FALSE(passed(check(RunMode::Forward))) << Wrong;
  }
}

TEST_F(Check, KinksAreUndecidedNotWrong) {
  Function = [](double X) { return std::fabs(X - 0.75); };
  Derivative = [](int, double X) { return X > 0.75 ? 1.0 : -1.0; };
  auto Rows = check(RunMode::Forward);
  EXPECT_TRUE(passed(Rows));
  EXPECT_EQ(Rows[1].Undecided, 1u);
}

TEST_F(Check, WhatCannotBeToldDoesNotPass) {
  Function = [](double X) { return X * std::nan(""); };
  Derivative = [](int, double) { return 1.0; };
  EXPECT_FALSE(passed(check(RunMode::Forward)));
}
