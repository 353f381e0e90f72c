//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which network sees which samples?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program mlp(Size S) {
  const size_t Count = S == Size::Case    ? 20
                       : S == Size::Check ? 2000
                                          : size_t(1) << 23;
  const size_t Weights = 16 * 4 + 16 + 16 + 1;
  const unsigned Block = S == Size::Case ? 32 : 128;
  Program P;
  P.Name = "mlp";
  P.Title = "A small network, weights in global memory";
  P.Args = {input("samples", ElementType::Real, 4 * Count, between(1, -1, 1)),
            input("weights", ElementType::Real, Weights, between(2, -1, 1)),
            output("outputs", ElementType::Real, Count, between(3, -1, 1)),
            scalar("count", ElementType::I32, double(Count))};
  P.Primal = {"mlp",
              {blocksFor(Count, Block)},
              {Block},
              0,
              {"samples", "weights", "outputs", "count"}};
  // Two blocks of 128 with 255 registers a thread on 132 multiprocessors.
  P.Hand = {
      {"mlp_hand",
       {S == Size::Full ? 2u * 132 : 3},
       {128},
       0,
       {"samples", "weights", "d_outputs", "d_samples", "d_weights", "count"}}};
  P.AdjointBytes = 4.0 * double(Count) * (4 + 1 + 2 * 4);
  // Sums of 2^23 signed terms, in single precision, in another order.
  P.FullTolerance = 2e-3;
  return P;
}

} // namespace kdiff::bench
