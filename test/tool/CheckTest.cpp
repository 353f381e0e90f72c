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
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

using namespace kdiff::tool;
using llvm::ArrayRef;

namespace {
constexpr int N = 40;

/// A case of one launch of f(x, y), two arrays of \p Type.
Case arrays(ElementType Type, const std::vector<double> &X) {
  Case C;
  size_t Bytes = Type == ElementType::F64 ? 8 : 4;
  for (const char *Name : {"x", "y"}) {
    Argument A;
    A.Name = Name;
    A.Type = Type;
    A.Act = Activity::Dup;
    A.Count = X.size();
    A.Stride = Bytes;
    A.Image.assign(Bytes * X.size(), '\0');
    for (size_t I = 0; I != X.size() && A.Name == "x"; ++I)
      encode(Type, {X[I], 0, false}, &A.Image[Bytes * I]);
    C.Args.push_back(A);
  }
  Launch L;
  L.Kernel = "f";
  L.Args = {"x", "y"};
  C.Launches = {L};
  return C;
}

/// Checks f_rev or f_fwd of \p D. With two lanes the shadows of lane 1 are not
/// touched.
std::vector<CheckRow> run(const Case &C, HostDevice &D, RunMode Mode,
                          unsigned Width = 1, const CheckOptions &O = {}) {
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
  auto G = runGradient(C, P, D, O);
  EXPECT_TRUE(bool(G));
  auto F = PrimalFunction::create(C, D, {});
  EXPECT_TRUE(bool(F));
  std::vector<CheckRow> All;
  for (const GradientResult &Lane : *G) {
    auto Rows = checkGradient(C, Lane, *F, O);
    EXPECT_TRUE(bool(Rows));
    All.insert(All.end(), Rows->begin(), Rows->end());
  }
  return All;
}

bool passed(ArrayRef<CheckRow> Rows) {
  return llvm::all_of(
      Rows, [](const CheckRow &R) { return R.Found == Verdict::Right; });
}
bool fails(ArrayRef<CheckRow> Rows) {
  return llvm::any_of(
      Rows, [](const CheckRow &R) { return R.Found == Verdict::Wrong; });
}

/// y[i] = f(x[i]) in double precision, with whatever derivative a test gives.
class Check : public testing::Test {
protected:
  Case C;
  HostDevice D;
  double (*Function)(double) = nullptr;
  std::function<double(int, double)> Derivative;

  void SetUp() override {
    std::vector<double> X;
    for (int I = 0; I != N; ++I)
      X.push_back(0.5 + 0.25 * I);
    C = arrays(ElementType::F64, X);
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

  std::vector<CheckRow> check(RunMode Mode, unsigned Width = 1) {
    return run(C, D, Mode, Width);
  }
};

/// y: the numbers of x in order, in single precision, the K-th times 1 + K / N.
/// Steps of a few percent make numbers change places.
class CheckSort : public testing::TestWithParam<int> {
protected:
  Case C;
  HostDevice D;
  /// The derivative of the K-th place that the gradient takes.
  std::function<float(int)> Partial = weight;

  static float weight(int K) { return 1 + float(K) / N; }
  static std::vector<int> order(const float *X) {
    std::vector<int> From(N);
    std::iota(From.begin(), From.end(), 0);
    std::sort(From.begin(), From.end(),
              [&](int L, int R) { return X[L] < X[R]; });
    return From;
  }
  void SetUp() override {
    std::mt19937 Random(GetParam());
    std::vector<double> X(N);
    for (double &V : X)
      V = 0.1 + 0.9 * double(Random()) * 0x1p-32;
    C = arrays(ElementType::F32, X);
    D.Kernels["f"] = [](ArrayRef<void *> A) {
      float *X = argument<float *>(A, 0), *Y = argument<float *>(A, 1);
      for (auto [K, From] : llvm::enumerate(order(X)))
        Y[K] = weight(K) * X[From];
    };
    D.Kernels["f_rev"] = [this](ArrayRef<void *> A) {
      float *X = argument<float *>(A, 0), *DX = argument<float *>(A, 1);
      float *DY = argument<float *>(A, 3);
      for (auto [K, From] : llvm::enumerate(order(X))) {
        DX[From] += DY[K] * Partial(K);
        DY[K] = 0;
      }
    };
    D.Kernels["f_fwd"] = [this](ArrayRef<void *> A) {
      float *X = argument<float *>(A, 0), *DX = argument<float *>(A, 1);
      float *DY = argument<float *>(A, 3);
      for (auto [K, From] : llvm::enumerate(order(X)))
        DY[K] = DX[From] * Partial(K);
    };
  }
  std::vector<CheckRow> check(RunMode Mode) {
    CheckOptions O;
    O.Seed = GetParam();
    return run(C, D, Mode, 1, O);
  }
};
INSTANTIATE_TEST_SUITE_P(Seeds, CheckSort, testing::Range(1, 9));

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
  EXPECT_EQ(Rows[0].Found, Verdict::Right);
  EXPECT_EQ(Rows[3].Found, Verdict::Wrong);
  EXPECT_EQ(Rows[3].Name, "x lane 1");
}

TEST_F(Check, AZeroDerivativeFails) {
  Function = cube;
  Derivative = [](int, double) { return 0.0; };
  EXPECT_EQ(check(RunMode::Reverse)[0].Found, Verdict::Wrong);
  EXPECT_EQ(check(RunMode::Forward)[1].Found, Verdict::Wrong);
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

TEST_F(Check, AJumpHidesNoFaultOfOthers) {
  Function = [](double X) { return X < 0.75 ? X : X + 1000; };
  Derivative = [](int, double) { return 1.0; };
  EXPECT_TRUE(passed(check(RunMode::Forward)));
  Derivative = [](int I, double) { return I == 7 ? 0.9 : 1.0; };
  EXPECT_TRUE(fails(check(RunMode::Forward)));
}

TEST_F(Check, WhatCannotBeToldIsUndecided) {
  Function = [](double X) { return X * std::nan(""); };
  Derivative = [](int, double) { return 1.0; };
  EXPECT_EQ(check(RunMode::Forward)[1].Found, Verdict::Undecided);
}

TEST_P(CheckSort, PlacesMayChangeWithinASingleStep) {
  for (RunMode Mode : {RunMode::Reverse, RunMode::Forward}) {
    auto Rows = check(Mode);
    EXPECT_FALSE(fails(Rows));
    const CheckRow &R = Rows[Mode == RunMode::Reverse ? 0 : 1];
    EXPECT_EQ(R.Found, Verdict::Right);
    EXPECT_LE(R.Undecided, R.Checked / 3);
  }
}

TEST_P(CheckSort, FaultsAreFoundAllTheSame) {
  for (int Wrong = 0; Wrong < N; Wrong += 9)
    for (float Factor : {0.0f, 0.5f, -1.0f}) {
      Partial = [=](int K) { return weight(K) * (K == Wrong ? Factor : 1); };
      EXPECT_TRUE(fails(check(RunMode::Forward))) << Wrong << " " << Factor;
    }
  for (float Factor : {0.0f, 0.9f, 1.1f}) {
    Partial = [=](int K) { return weight(K) * Factor; };
    EXPECT_TRUE(fails(check(RunMode::Reverse))) << Factor;
  }
}
