//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which queries attend to which keys?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program attention(Size S) {
  const unsigned Heads = S == Size::Case ? 2 : S == Size::Check ? 1 : 128;
  const unsigned Count = S == Size::Case ? 5 : S == Size::Check ? 34 : 512;
  const size_t Rows = size_t(Heads) * Count, Words = 32 * Rows;
  const unsigned Block = S == Size::Case ? 64 : 256;
  Program P;
  P.Name = "attention";
  P.Title = "Attention, a query a warp, online softmax";
  P.Area = "threads";
  P.Args = {input("queries", ElementType::Real, Words, between(1, -2, 2)),
            input("keys", ElementType::Real, Words, between(2, -2, 2)),
            input("values", ElementType::Real, Words, between(3, -1, 1)),
            output("outputs", ElementType::Real, Words, between(4, -1, 1)),
            {"logarithms", Role::Scratch, ElementType::Real, Rows},
            {"means", Role::Scratch, ElementType::Real, Rows},
            scalar("scale", ElementType::Real, 0.1767578125),
            scalar("count", ElementType::I32, Count)};
  P.Primal = {"attention",
              {blocksFor(32 * size_t(Count), Block), Heads},
              {Block},
              0,
              {"queries", "keys", "values", "outputs", "scale", "count"}};
  const Extent Grid = {blocksFor(Count, 128), Heads};
  P.Hand = {{"attention_hand_queries",
             Grid,
             {128},
             0,
             {"queries", "keys", "values", "d_outputs", "d_queries",
              "logarithms", "means", "scale", "count"}},
            {"attention_hand_keys",
             Grid,
             {128},
             0,
             {"queries", "keys", "values", "d_outputs", "logarithms", "means",
              "d_keys", "d_values", "scale", "count"}}};
  P.AdjointBytes = 4.0 * double(Words) * (3 + 1 + 2 * 3);
  return P;
}

} // namespace kdiff::bench
