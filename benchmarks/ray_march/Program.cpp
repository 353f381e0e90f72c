//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which volume is looked at?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program rayMarch(Size S) {
  const size_t Size = S == Size::Case ? 6 : S == Size::Check ? 20 : 256;
  const unsigned Width = S == Size::Case ? 6 : S == Size::Check ? 40 : 1024;
  const unsigned Height = S == Size::Case ? 5 : S == Size::Check ? 21 : 1024;
  const Extent Block = S == Size::Case ? Extent{8, 4} : Extent{16, 16};
  const size_t Words = 2 * Size * Size * Size;
  // Clear and thick columns, an eighth of the cube wide, so that rays end after
  // different numbers of steps. Thicker where the cube is smaller.
  auto Voxel = [=](size_t I) {
    if (I % 2)
      return uniform(1, I, 0, 1);
    size_t X = I / 2 % Size, Y = I / 2 / Size % Size;
    size_t Column = (8 * Y / Size) * 8 + 8 * X / Size;
    double Thickness = uniform(2, Column, 0.02, 0.4) * 256 / double(Size);
    return double(float(Thickness * uniform(3, I, 0.5, 1.5)));
  };
  Program P;
  P.Name = "ray_march";
  P.Title = "An image of a volume by rays that end early";
  P.Args = {input("volume", ElementType::Real, Words, Voxel),
            output("image", ElementType::Real, size_t(Width) * Height,
                   between(4, -1, 1)),
            scalar("size", ElementType::I32, double(Size)),
            scalar("step", ElementType::Real, 0.75),
            scalar("slantX", ElementType::Real, 0.125),
            scalar("slantY", ElementType::Real, -0.0625),
            scalar("width", ElementType::I32, Width),
            scalar("height", ElementType::I32, Height)};
  P.Primal = {"ray_march",
              {blocksFor(Width, Block.X), blocksFor(Height, Block.Y)},
              Block,
              0,
              {"volume", "image", "size", "step", "slantX", "slantY", "width",
               "height"}};
  P.Hand = {{"ray_march_hand",
             {blocksFor(Width, Block.X), blocksFor(Height, Block.Y)},
             Block,
             0,
             {"volume", "d_image", "d_volume", "size", "step", "slantX",
              "slantY", "width", "height"}}};
  P.AdjointBytes = 4.0 * (double(Words) * (1 + 2) + double(Width) * Height);
  // A ray may end a step earlier or later where its light is rounded
  // otherwise: what is lost is less than 1e-4 of it.
  P.Tolerance = 1e-4;
  P.FullTolerance = 1e-3;
  return P;
}

} // namespace kdiff::bench
