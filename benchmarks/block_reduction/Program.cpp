//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is summed by blocks?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program blockReduction(Size S) {
  const size_t Count = S == Size::Case    ? 300
                       : S == Size::Check ? 4000
                                          : size_t(1) << 27;
  const unsigned Block = 256; // As the kernel has it.
  const unsigned Blocks = blocksFor(Count, Block);
  Program P;
  P.Name = "block_reduction";
  P.Title = "Sums of a function by blocks, through shared memory";
  P.Area = "threads";
  P.Args = {input("x", ElementType::Real, Count, between(1, -2, 2)),
            output("sums", ElementType::Real, Blocks, between(2, -1, 1)),
            scalar("count", ElementType::I32, double(Count))};
  P.Primal = {"block_reduction", {Blocks}, {Block}, 0, {"x", "sums", "count"}};
  P.Hand = {{"block_reduction_hand",
             {Blocks},
             {Block},
             0,
             {"x", "d_sums", "d_x", "count"}}};
  P.AdjointBytes = 4.0 * double(Count) * (1 + 2);
  return P;
}

} // namespace kdiff::bench
