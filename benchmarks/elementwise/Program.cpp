//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how long are the streams of the elementwise
// function?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

static Program streams(const char *Name, const char *Title, ElementType Real,
                       Size S) {
  const size_t Count = S == Size::Case    ? 50
                       : S == Size::Check ? 4000
                                          : size_t(1) << 26;
  const Extent Block = {S == Size::Case ? 32u : 256u};
  const Extent Grid = {blocksFor(Count, Block.X)};
  const ElementType T =
      Real == ElementType::F64 ? ElementType::F64 : ElementType::Real;
  Program P;
  P.Name = Name;
  P.Title = Title;
  P.Real = Real;
  P.Args = {input("x", T, Count, between(1, -1.5, 1.5)),
            input("y", T, Count, between(2, -2, 2)),
            output("z", T, Count, between(3, -1, 1)),
            scalar("count", ElementType::I32, double(Count))};
  P.Primal = {"elementwise", Grid, Block, 0, {"x", "y", "z", "count"}};
  P.Hand = {{"elementwise_hand",
             Grid,
             Block,
             0,
             {"x", "y", "d_z", "d_x", "d_y", "count"}}};
  P.AdjointBytes =
      (Real == ElementType::F64 ? 8.0 : 4.0) * double(Count) * (2 + 1 + 2 * 2);
  return P;
}

Program elementwise(Size S) {
  return streams("elementwise", "An elementwise function of two streams",
                 ElementType::F32, S);
}

Program elementwiseF64(Size S) {
  return streams("elementwise_f64",
                 "An elementwise function of two streams of doubles",
                 ElementType::F64, S);
}

} // namespace kdiff::bench
