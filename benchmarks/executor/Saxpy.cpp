//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how many GPU threads does the executor run in
// a second on one core?
//
//===----------------------------------------------------------------------===//
#include "benchmark/benchmark.h"
#include "harness/Backend.h"

using namespace llvm;
using namespace kdiff::bench;

static void saxpy(benchmark::State &State) {
  ExitOnError Exit("saxpy: ");
  std::unique_ptr<Backend> B = Exit(createSimtBackend(
      {KDIFF_BENCHMARK_IR "/executor/saxpy.ll"}, KDIFF_LIBDEVICE));
  constexpr unsigned Block = 256;
  int Count = int(State.range(0));
  size_t Bytes = size_t(Count) * sizeof(float);
  void *X = Exit(B->allocate(Bytes)), *Y = Exit(B->allocate(Bytes));
  std::vector<float> Ones(Count, 1.0f);
  Exit(B->upload(X, Ones.data(), Bytes));
  Exit(B->upload(Y, Ones.data(), Bytes));
  float A = 0.5f;
  void *Args[] = {&X, &Y, &A, &Count};
  const Extent Grid = {blocksFor(size_t(Count), Block)};
  for (auto _ : State)
    Exit(B->launch("saxpy", Grid, {Block}, 0, Args));
  State.SetItemsProcessed(State.iterations() * Count);
}
BENCHMARK(saxpy)->Arg(1 << 16)->Arg(1 << 20)->Unit(benchmark::kMillisecond);

BENCHMARK_MAIN();
