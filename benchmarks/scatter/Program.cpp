//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which values are added where?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program scatter(Size S) {
  const size_t Count = S == Size::Case    ? 60
                       : S == Size::Check ? 4000
                                          : size_t(1) << 26;
  const size_t Places = Count / 4;
  const unsigned Block = S == Size::Case ? 32 : 256;
  const Extent Grid = {blocksFor(Count, Block)};
  Program P;
  P.Name = "scatter";
  P.Title = "Values added atomically to places that an index names";
  P.Args = {input("x", ElementType::Real, Count, between(1, -1, 1)),
            constant("places", ElementType::I32, Count,
                     [=](size_t I) {
                       return double(
                           size_t(uniform(2, I, 0, 0.999) * double(Places)));
                     }),
            sum("sums", ElementType::Real, Places, between(3, -1, 1)),
            scalar("count", ElementType::I32, double(Count))};
  P.Primal = {"scatter", Grid, {Block}, 0, {"x", "places", "sums", "count"}};
  P.Hand = {{"scatter_hand",
             Grid,
             {Block},
             0,
             {"x", "places", "d_sums", "d_x", "count"}}};
  P.AdjointBytes = 4.0 * double(Count) * (1 + 1 + 2) + 4.0 * double(Places);
  return P;
}

} // namespace kdiff::bench
