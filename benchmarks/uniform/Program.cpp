//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which polynomial is evaluated where?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program uniformParameters(Size S) {
  const size_t Count = S == Size::Case    ? 50
                       : S == Size::Check ? 4000
                                          : size_t(1) << 26;
  const Extent Block = {S == Size::Case ? 32u : 256u};
  Program P;
  P.Name = "uniform";
  P.Title = "A polynomial whose coefficients all threads share";
  P.Args = {input("x", ElementType::Real, Count, between(1, -1, 1)),
            input("coefficients", ElementType::Real, 16, between(2, -1, 1)),
            output("y", ElementType::Real, Count, between(3, -1, 1)),
            scalar("count", ElementType::I32, double(Count))};
  P.Primal = {"uniform",
              {blocksFor(Count, Block.X)},
              Block,
              0,
              {"x", "coefficients", "y", "count"}};
  // Eight blocks of 256 on each of 132 multiprocessors.
  P.Hand = {{"uniform_hand",
             {S == Size::Full ? 8u * 132 : 3},
             {256},
             0,
             {"x", "coefficients", "d_y", "d_x", "d_coefficients", "count"}}};
  P.AdjointBytes = 4.0 * double(Count) * (1 + 1 + 2);
  // Sums of 2^26 signed terms, in single precision, in another order.
  P.FullTolerance = 2e-3;
  return P;
}

} // namespace kdiff::bench
