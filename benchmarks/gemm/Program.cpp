//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which matrices are multiplied?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program gemm(Size S) {
  const unsigned Rows = S == Size::Case ? 16 : S == Size::Check ? 48 : 1024;
  const unsigned Inner = S == Size::Case ? 32 : S == Size::Check ? 80 : 1024;
  const unsigned Columns = S == Size::Case ? 16 : S == Size::Check ? 96 : 1024;
  const unsigned Tile = 16; // As the kernel has it.
  const size_t CountA = size_t(Rows) * Inner, CountB = size_t(Inner) * Columns,
               CountC = size_t(Rows) * Columns;
  // As the hand-written kernel has them.
  auto Tiles = [](unsigned Down, unsigned Across) {
    return blocksFor(Down, 128) * blocksFor(Across, 64);
  };
  const unsigned TilesOfA = Tiles(Rows, Inner);
  Program P;
  P.Name = "gemm";
  P.Title = "A matrix product by tiles in shared memory";
  P.Area = "threads";
  P.Args = {input("a", ElementType::Real, CountA, between(1, -1, 1)),
            input("b", ElementType::Real, CountB, between(2, -1, 1)),
            output("c", ElementType::Real, CountC, between(3, -1, 1)),
            scalar("rows", ElementType::I32, Rows),
            scalar("inner", ElementType::I32, Inner),
            scalar("columns", ElementType::I32, Columns),
            scalar("tilesOfA", ElementType::I32, TilesOfA)};
  P.Primal = {"gemm",
              {Columns / Tile, Rows / Tile},
              {Tile, Tile},
              0,
              {"a", "b", "c", "rows", "inner", "columns"}};
  P.Hand = {{"gemm_hand",
             {TilesOfA + Tiles(Inner, Columns)},
             {256},
             0,
             {"a", "b", "d_c", "d_a", "d_b", "rows", "inner", "columns",
              "tilesOfA"}}};
  P.AdjointBytes = 4.0 * (3.0 * double(CountA + CountB) + double(CountC));
  return P;
}

} // namespace kdiff::bench
