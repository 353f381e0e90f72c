//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which book of options is priced?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program blackScholes(Size S) {
  const size_t Count = S == Size::Case    ? 40
                       : S == Size::Check ? 3000
                                          : size_t(1) << 25;
  const Extent Block = {S == Size::Case ? 32u : 256u};
  auto Input = [&](const char *Name, uint64_t Stream, double Low, double High) {
    return input(Name, ElementType::Real, Count, between(Stream, Low, High));
  };
  Program P;
  P.Name = "black_scholes";
  P.Title = "Call and put prices of a book of European options";
  P.Args = {Input("spot", 1, 20, 60),
            Input("strike", 2, 25, 55),
            Input("rate", 3, 0.005, 0.08),
            Input("vol", 4, 0.1, 0.6),
            Input("years", 5, 0.25, 5),
            output("call", ElementType::Real, Count, between(6, -1, 1)),
            output("put", ElementType::Real, Count, between(7, -1, 1)),
            scalar("count", ElementType::I32, double(Count))};
  const Extent Grid = {blocksFor(Count, Block.X)};
  P.Primal = {
      "black_scholes",
      Grid,
      Block,
      0,
      {"spot", "strike", "rate", "vol", "years", "call", "put", "count"}};
  P.Hand = {{"black_scholes_hand",
             Grid,
             Block,
             0,
             {"spot", "strike", "rate", "vol", "years", "d_call", "d_put",
              "d_spot", "d_strike", "d_rate", "d_vol", "d_years", "count"}}};
  P.AdjointBytes = 4.0 * Count * (5 + 2 + 2 * 5);
  return P;
}

} // namespace kdiff::bench
