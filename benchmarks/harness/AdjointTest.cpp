//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: are the hand-written adjoints, which KDiff's
// gradients are measured against, right?
//
// On the executor: against finite differences of the primal in double
// precision; then in single precision against themselves in double.
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

/// Runs the hand-written adjoint of \p P on the executor; with \p Differences
/// compares it with those.
void run(const Program &P, ElementType Real, bool Differences, Gradients &G) {
  Expected<Artifacts> A = findArtifacts(P, Real, KDIFF_BENCHMARK_IR, ".ll");
  ASSERT_TRUE(succeeded(A));
  A->Files.resize(2); // The primal and the hand-written adjoint.
  Expected<std::unique_ptr<Backend>> B =
      createSimtBackend(A->Files, KDIFF_LIBDEVICE);
  ASSERT_TRUE(succeeded(B));
  Expected<std::unique_ptr<Workspace>> W = Workspace::create(**B, P, Real);
  ASSERT_TRUE(succeeded(W));
  Expected<Gradients> Result = handGradients(**W, P);
  ASSERT_TRUE(succeeded(Result));
  G = std::move(*Result);
  if (!Differences)
    return;
  Expected<Worst> Error = compareWithDifferences(**W, P, G, /*Samples=*/40);
  ASSERT_TRUE(succeeded(Error));
  EXPECT_LE(Error->Error, 1e-6) << Error->Where;
}

TEST_P(HandWrittenAdjoint, AgreesWithFiniteDifferences) {
  for (Size S : {Size::Case, Size::Check}) {
    Program P = GetParam()(S);
    Gradients Double, Single;
    run(P, ElementType::F64, /*Differences=*/true, Double);
    if (HasFatalFailure())
      return;
    if (P.Real == ElementType::F64)
      continue;
    run(P, P.Real, /*Differences=*/false, Single);
    if (HasFatalFailure())
      return;
    Worst W = compare(Single, Double, P);
    EXPECT_LE(W.Error, P.Tolerance) << W.Where;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, HandWrittenAdjoint, testing::ValuesIn(programs().vec()),
    [](const testing::TestParamInfo<ProgramFactory> &Info) {
      return Info.param(Size::Case).Name;
    });

} // namespace
