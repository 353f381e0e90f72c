//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how large is the grid of the stencil?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program stencil2d(Size S) {
  const unsigned Width = S == Size::Case ? 9 : S == Size::Check ? 70 : 8192;
  const unsigned Height = S == Size::Case ? 7 : S == Size::Check ? 45 : 8192;
  const Extent Block = S == Size::Case ? Extent{8, 2} : Extent{32, 8};
  const Extent Grid = {blocksFor(Width, Block.X), blocksFor(Height, Block.Y)};
  const size_t Count = size_t(Width) * Height;
  Program P;
  P.Name = "stencil2d";
  P.Title = "One step of diffusion, five-point stencil";
  P.Args = {
      input("u", ElementType::Real, Count, between(1, -1, 1)),
      input("conductivity", ElementType::Real, Count, between(2, 0.05, 0.2)),
      output("next", ElementType::Real, Count, between(3, -1, 1)),
      scalar("width", ElementType::I32, Width),
      scalar("height", ElementType::I32, Height)};
  P.Primal = {"stencil2d",
              Grid,
              Block,
              0,
              {"u", "conductivity", "next", "width", "height"}};
  P.Hand = {{"stencil2d_hand",
             Grid,
             Block,
             0,
             {"u", "conductivity", "d_next", "d_u", "d_conductivity", "width",
              "height"}}};
  P.AdjointBytes = 4.0 * double(Count) * (2 + 1 + 2 * 2);
  return P;
}

} // namespace kdiff::bench
