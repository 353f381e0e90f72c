//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: are the hand-written adjoints, which KDiff's
// gradients are measured against, right, and do the gradients agree with them?
//
// On the executor. The hand-written adjoints: against finite differences of
// the primal in double precision, and in single precision against themselves
// in double. KDiff's gradients: in double precision against the hand-written
// ones.
//
//===----------------------------------------------------------------------===//
#include "harness/Check.h"
#include "harness/Programs.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kdiff::bench;

namespace {

template <class T> testing::AssertionResult succeeded(Expected<T> &E) {
  if (E)
    return testing::AssertionSuccess();
  return testing::AssertionFailure() << toString(E.takeError());
}

class HandWrittenAdjoint : public testing::TestWithParam<ProgramFactory> {};
class Gradient : public testing::TestWithParam<ProgramFactory> {};

/// A program in one precision on the executor.
struct Loaded {
  Program P;
  Artifacts A;
  std::unique_ptr<Backend> B;
  std::unique_ptr<Workspace> W;
  std::unique_ptr<TapePool> Tape;
};

void load(ProgramFactory Make, Size S, ElementType Real, bool WithGradient,
          Loaded &L) {
  L.P = Make(S);
  Expected<Artifacts> A = findArtifacts(L.P, Real, KDIFF_BENCHMARK_IR, ".ll");
  ASSERT_TRUE(succeeded(A));
  L.A = std::move(*A);
  if (WithGradient)
    ASSERT_TRUE(L.A.Gradient) << L.A.NoGradient;
  else
    L.A.Files.resize(2); // The primal and the hand-written adjoint.
  Expected<std::unique_ptr<Backend>> B =
      createSimtBackend(L.A.Files, KDIFF_LIBDEVICE);
  ASSERT_TRUE(succeeded(B));
  L.B = std::move(*B);
  Expected<std::unique_ptr<Workspace>> W = Workspace::create(*L.B, L.P, Real);
  ASSERT_TRUE(succeeded(W));
  L.W = std::move(*W);
  if (!WithGradient || !L.A.Gradient->NeedsTape)
    return;
  const Launch &Shape = L.P.Primal;
  Expected<std::unique_ptr<TapePool>> Tape =
      TapePool::create(*L.B, Shape.Grid.X * Shape.Grid.Y,
                       Shape.Block.X * Shape.Block.Y, uint64_t(64) << 20);
  ASSERT_TRUE(succeeded(Tape));
  L.Tape = std::move(*Tape);
}

TEST_P(HandWrittenAdjoint, AgreesWithFiniteDifferences) {
  for (Size S : {Size::Case, Size::Check}) {
    Loaded L;
    load(GetParam(), S, ElementType::F64, /*WithGradient=*/false, L);
    if (HasFatalFailure())
      return;
    Expected<Gradients> G = handGradients(*L.W, L.P);
    ASSERT_TRUE(succeeded(G));
    Expected<Worst> W = compareWithDifferences(*L.W, L.P, *G, /*Samples=*/40);
    ASSERT_TRUE(succeeded(W));
    EXPECT_LE(W->Error, 1e-6) << W->Where;
  }
}

TEST_P(HandWrittenAdjoint, AgreesWithItselfInDoublePrecision) {
  Loaded Double, Single;
  load(GetParam(), Size::Check, ElementType::F64, /*WithGradient=*/false,
       Double);
  if (HasFatalFailure())
    return;
  Expected<Gradients> Want = handGradients(*Double.W, Double.P);
  ASSERT_TRUE(succeeded(Want));
  // One device at a time; the workspace frees its memory on it.
  Double.W.reset();
  Double.B.reset();
  Program P = GetParam()(Size::Check);
  load(GetParam(), Size::Check, P.Real, /*WithGradient=*/false, Single);
  if (HasFatalFailure())
    return;
  Expected<Gradients> Have = handGradients(*Single.W, P);
  ASSERT_TRUE(succeeded(Have));
  Worst W = compare(*Have, *Want, P);
  EXPECT_LE(W.Error, P.Tolerance) << W.Where;
}

TEST_P(Gradient, AgreesWithHandWrittenAdjoint) {
  for (Size S : {Size::Case, Size::Check}) {
    Loaded L;
    load(GetParam(), S, ElementType::F64, /*WithGradient=*/true, L);
    if (HasFatalFailure())
      return;
    Expected<Gradients> Want = handGradients(*L.W, L.P);
    ASSERT_TRUE(succeeded(Want));
    Expected<Gradients> Have =
        kdiffGradients(*L.W, L.P, *L.A.Gradient, L.Tape.get());
    ASSERT_TRUE(succeeded(Have));
    Worst W = compare(*Have, *Want, L.P);
    EXPECT_LE(W.Error, 1e-9) << W.Where;
  }
}

TEST(ExhaustedTape, IsNamedBeforeTheSeedsAreLookedAt) {
  Loaded L;
  load(rayMarch, Size::Check, ElementType::F64, /*WithGradient=*/true, L);
  ASSERT_FALSE(HasFatalFailure());
  ASSERT_TRUE(L.Tape) << "this program no longer serves the test";
  // For the first warp alone. The others make no reverse sweep, so the seeds
  // are wrong as well.
  Expected<std::unique_ptr<TapePool>> Small =
      TapePool::create(*L.B, /*Grid=*/1, /*Block=*/32, uint64_t(1) << 20);
  ASSERT_TRUE(succeeded(Small));
  L.Tape = std::move(*Small);
  Expected<Gradients> G =
      kdiffGradients(*L.W, L.P, *L.A.Gradient, L.Tape.get());
  ASSERT_FALSE(bool(G));
  EXPECT_NE(toString(G.takeError()).find("was exhausted"), std::string::npos);
}

std::string nameOf(const testing::TestParamInfo<ProgramFactory> &Info) {
  return Info.param(Size::Case).Name;
}
INSTANTIATE_TEST_SUITE_P(Programs, HandWrittenAdjoint,
                         testing::ValuesIn(programs().vec()), nameOf);
INSTANTIATE_TEST_SUITE_P(Programs, Gradient,
                         testing::ValuesIn(programs().vec()), nameOf);

} // namespace
