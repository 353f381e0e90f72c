//===- CaseTest.cpp - Judgements about cases ------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a case fail when, and only when, something
// is wrong?
//
//===----------------------------------------------------------------------===//

#include "HostDevice.h"
#include "cases/CaseRun.h"
#include <gtest/gtest.h>

using namespace kdiff::tool;
using llvm::ArrayRef;

/// A case of float buffers, written down.
static Argument buffer(std::string Name, std::vector<float> Values,
                       Activity Act = Activity::Dup) {
  Argument A;
  A.Name = std::move(Name);
  A.Act = Act;
  A.Count = Values.size();
  A.Stride = sizeof(float);
  A.Image.assign(reinterpret_cast<char *>(Values.data()),
                 Values.size() * sizeof(float));
  return A;
}

static std::vector<Number> numbers(std::vector<double> Values) {
  std::vector<Number> Result;
  for (double V : Values)
    Result.push_back({V, 0, false});
  return Result;
}

/// x[i] = x[i]^2, launched twice: 4 x^3 in the end.
class SquareTwice : public testing::Test {
protected:
  Case C;
  Program P;
  HostDevice D;

  void SetUp() override {
    C.Args = {buffer("x", {2, 3})};
    Launch L;
    L.Kernel = "square";
    L.Args = {"x"};
    C.Launches = {L, L};
    C.Seed["x"] = numbers({1, 1});
    C.ExpectPrimal["x"] = numbers({16, 81});
    C.ExpectShadow["x"] = numbers({32, 108});
    C.Tangent["x"] = numbers({1, 1});
    C.ExpectTangent["x"] = numbers({32, 108});
    C.RTol = 1e-6;
    D.Kernels["square"] = [](ArrayRef<void *> A) {
      float *X = argument<float *>(A, 0);
      X[0] *= X[0];
      X[1] *= X[1];
    };
    // One formula serves both modes here: the shadow times 2 x.
    D.Kernels["square_grad"] = [](ArrayRef<void *> A) {
      float *X = argument<float *>(A, 0), *DX = argument<float *>(A, 1);
      for (int I = 0; I != 2; ++I) {
        DX[I] *= 2 * X[I];
        X[I] *= X[I];
      }
    };
    Signature S;
    S.Kernel = "square_grad";
    S.Params = {{"x", "ptr", Role::Primal, 0, 8, false},
                {"d_x", "ptr", Role::Shadow, 0, 8, false}};
    P.Gradients = {S};
    P.GradientOf = {0, 0};
  }

  std::vector<std::string> run(RunMode Mode) {
    P.Mode = Mode;
    auto Differences = runCase(C, P, D);
    EXPECT_TRUE(bool(Differences));
    return *Differences;
  }
};

TEST_F(SquareTwice, PassesInEveryMode) {
  EXPECT_TRUE(run(RunMode::Primal).empty());
  EXPECT_TRUE(run(RunMode::Reverse).empty());
  EXPECT_TRUE(run(RunMode::Forward).empty());
}

TEST_F(SquareTwice, AZeroGradientIsSeen) {
  D.Kernels["square_grad"] = [](ArrayRef<void *> A) {
    float *X = argument<float *>(A, 0), *DX = argument<float *>(A, 1);
    for (int I = 0; I != 2; ++I) {
      DX[I] = 0;
      X[I] *= X[I];
    }
  };
  EXPECT_EQ(run(RunMode::Reverse),
            (std::vector<std::string>{
                "shadow x[1] = 0, expected 108 (2 of 2 differ)"}));
}

TEST_F(SquareTwice, EachLaneIsCompared) {
  P.Width = 4;
  Signature &S = P.Gradients.front();
  S.Width = 4;
  for (unsigned Lane = 1; Lane != 4; ++Lane)
    S.Params.push_back({"d_x", "ptr", Role::Shadow, 0, 8, false, Lane});
  // Whose shadow each lane's result goes to in the next launch.
  const std::array<unsigned, 4> Own = {0, 1, 2, 3};
  std::array<unsigned, 4> To = Own;
  D.Kernels["square_grad"] = [&](ArrayRef<void *> A) {
    float *X = argument<float *>(A, 0), Old[4][2];
    for (int Lane = 0; Lane != 4; ++Lane)
      std::copy_n(argument<float *>(A, 1 + Lane), 2, Old[Lane]);
    for (int I = 0; I != 2; ++I) {
      for (int Lane = 0; Lane != 4; ++Lane)
        argument<float *>(A, 1 + To[Lane])[I] = Old[Lane][I] * 2 * X[I];
      X[I] *= X[I];
    }
    To = Own;
  };
  EXPECT_TRUE(run(RunMode::Reverse).empty());
  EXPECT_TRUE(run(RunMode::Forward).empty());
  To = {1, 0, 2, 3};
  EXPECT_EQ(run(RunMode::Forward).size(), 2u);
  To = {0, 1, 3, 2};
  EXPECT_EQ(run(RunMode::Forward).size(), 1u);
  To = {0, 0, 2, 3};
  EXPECT_FALSE(run(RunMode::Reverse).empty());
}

TEST_F(SquareTwice, NaNIsWorseThanAnyDifference) {
  D.Kernels["square_grad"] = [](ArrayRef<void *> A) {
    float *X = argument<float *>(A, 0), *DX = argument<float *>(A, 1);
    DX[0] = NAN;
    DX[1] = 0;
    X[0] *= X[0];
    X[1] *= X[1];
  };
  EXPECT_EQ(run(RunMode::Reverse).front().rfind("shadow x[0] = nan", 0), 0u);
}

TEST_F(SquareTwice, AGradientThatSpoilsThePrimalIsSeen) {
  D.Kernels["square_grad"] = [](ArrayRef<void *> A) {
    float *X = argument<float *>(A, 0), *DX = argument<float *>(A, 1);
    DX[0] *= 2 * X[0];
    DX[1] *= 2 * X[1];
  };
  auto Differences = run(RunMode::Reverse);
  ASSERT_EQ(Differences.size(), 1u);
  EXPECT_EQ(Differences[0].rfind("primal in the gradient x[1] = 9", 0), 0u);
}

TEST_F(SquareTwice, TiesMayGoEitherWayButAddUp) {
  C.Accept["x"] = {{0, {0, 40}}, {1, {100, 110}}};
  C.ExpectShadow["x"] = numbers({5, 105});
  EXPECT_TRUE(run(RunMode::Reverse).empty());
  C.AcceptSum = {{{{"x", 0}, {"x", 1}}, 140}};
  EXPECT_TRUE(run(RunMode::Reverse).empty());
  C.AcceptSum[0].Sum = 141;
  EXPECT_EQ(run(RunMode::Reverse),
            (std::vector<std::string>{
                "shadows x[0] + x[1] = 140, expected 141"}));
  C.Accept["x"] = {{0, {0, 31}}};
  EXPECT_EQ(run(RunMode::Reverse).size(), 2u);
}

TEST_F(SquareTwice, ConstBuffersHaveNoShadow) {
  C.Args = {buffer("x", {2, 3}, Activity::Const)};
  C.ExpectShadow.clear();
  C.Seed.clear();
  bool Null = false;
  D.Kernels["square_grad"] = [&](ArrayRef<void *> A) {
    float *X = argument<float *>(A, 0);
    Null = true;
    X[0] *= X[0];
    X[1] *= X[1];
  };
  P.Gradients[0].Params.pop_back();
  EXPECT_TRUE(run(RunMode::Reverse).empty());
  EXPECT_TRUE(Null);
}

/// out = *in * gain, passed as a struct.
struct Params {
  float *In, *Out;
  float Gain;
  int N;
};

TEST(CaseRun, AStructsShadowHoldsShadowsAndAdjoints) {
  Case C;
  Argument S;
  S.Name = "p";
  S.K = Argument::Struct;
  S.Fields = {{"in", ElementType::F32, "in", Activity::Const, 0},
              {"out", ElementType::F32, "out", Activity::Const, 8},
              {"gain", ElementType::F32, "", Activity::Active, 16},
              {"n", ElementType::I32, "", Activity::Const, 20}};
  S.Count = 1;
  S.Stride = sizeof(Params);
  S.Image.assign(sizeof(Params), '\0');
  encode(ElementType::F32, {3, 0, false}, &S.Image[16]);
  encode(ElementType::I32, {1, 1, true}, &S.Image[20]);
  C.Args = {buffer("in", {2}), buffer("out", {0}), S};
  Launch L;
  L.Kernel = "scale";
  L.Args = {"p"};
  C.Launches = {L};
  C.Seed["out"] = numbers({1});
  C.ExpectPrimal["out"] = numbers({6});
  C.ExpectShadow = {
      {"in", numbers({3})}, {"out", numbers({0})}, {"p.gain", numbers({2})}};
  HostDevice D;
  D.Kernels["scale"] = [](ArrayRef<void *> A) {
    Params P = argument<Params>(A, 0);
    ASSERT_EQ(P.N, 1);
    *P.Out = *P.In * P.Gain;
  };
  D.Kernels["scale_grad"] = [](ArrayRef<void *> A) {
    Params P = argument<Params>(A, 0), *DP = argument<Params *>(A, 1);
    *P.Out = *P.In * P.Gain;
    *DP->In += *DP->Out * P.Gain;
    DP->Gain += *DP->Out * *P.In;
    *DP->Out = 0;
  };
  Program P;
  P.Mode = RunMode::Reverse;
  Signature G;
  G.Kernel = "scale_grad";
  G.Params = {{"p", "%struct.Params", Role::Primal, 0, sizeof(Params), true},
              {"d_p", "ptr", Role::Shadow, 0, 8, false}};
  P.Gradients = {G};
  P.GradientOf = {0};
  auto Differences = runCase(C, P, D);
  ASSERT_TRUE(bool(Differences));
  EXPECT_TRUE(Differences->empty());
}
