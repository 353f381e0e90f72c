//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: in which box does heat spread?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program stencil3d(Size S) {
  const unsigned Width = S == Size::Case ? 5 : S == Size::Check ? 35 : 512;
  const unsigned Height = S == Size::Case ? 4 : S == Size::Check ? 9 : 256;
  const unsigned Depth = S == Size::Case ? 3 : S == Size::Check ? 10 : 256;
  const Extent Block = S == Size::Case ? Extent{8, 4} : Extent{32, 8};
  // Rows of all planes one after the other.
  const Extent Grid = {blocksFor(Width, Block.X),
                       blocksFor(Height * Depth, Block.Y)};
  const size_t Count = size_t(Width) * Height * Depth;
  Program P;
  P.Name = "stencil3d";
  P.Title = "One step of diffusion in flux form, seven-point stencil";
  P.Args = {
      input("u", ElementType::Real, Count, between(1, -1, 1)),
      input("conductivity", ElementType::Real, Count, between(2, 0.05, 0.15)),
      output("next", ElementType::Real, Count, between(3, -1, 1)),
      scalar("width", ElementType::I32, Width),
      scalar("height", ElementType::I32, Height),
      scalar("depth", ElementType::I32, Depth)};
  P.Primal = {"stencil3d",
              Grid,
              Block,
              0,
              {"u", "conductivity", "next", "width", "height", "depth"}};
  P.Hand = {{"stencil3d_hand",
             Grid,
             Block,
             0,
             {"u", "conductivity", "d_next", "d_u", "d_conductivity", "width",
              "height", "depth"}}};
  P.AdjointBytes = 4.0 * double(Count) * (2 + 1 + 2 * 2);
  return P;
}

} // namespace kdiff::bench
