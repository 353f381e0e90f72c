//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which rows are normalised?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program layerNorm(Size S) {
  const unsigned Rows = S == Size::Case ? 3 : S == Size::Check ? 37 : 1u << 18;
  const size_t Width = 256, Count = Width * Rows; // As the kernel has it.
  const unsigned Block = S == Size::Case ? 64 : 256;
  Program P;
  P.Name = "layer_norm";
  P.Title = "Layer normalisation, a row a warp";
  P.Area = "threads";
  P.Args = {input("x", ElementType::Real, Count, between(1, -2, 2)),
            input("gamma", ElementType::Real, Width, between(2, 0.5, 1.5)),
            input("beta", ElementType::Real, Width, between(3, -1, 1)),
            output("y", ElementType::Real, Count, between(4, -1, 1)),
            scalar("epsilon", ElementType::Real, 0x1p-16),
            scalar("rows", ElementType::I32, Rows)};
  P.Primal = {"layer_norm",
              {blocksFor(32 * size_t(Rows), Block)},
              {Block},
              0,
              {"x", "gamma", "beta", "y", "epsilon", "rows"}};
  // Three blocks on each of 132 multiprocessors.
  P.Hand = {
      {"layer_norm_hand",
       {S == Size::Full ? 3u * 132 : 2},
       {256},
       0,
       {"x", "gamma", "d_y", "d_x", "d_gamma", "d_beta", "epsilon", "rows"}}};
  P.AdjointBytes = 4.0 * double(Count) * (1 + 1 + 2);
  // Sums of 2^18 signed terms, in single precision, in another order.
  P.FullTolerance = 1e-3;
  return P;
}

} // namespace kdiff::bench
