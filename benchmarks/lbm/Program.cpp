//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which lattice is relaxed?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program lbm(Size S) {
  const unsigned Width = S == Size::Case ? 5 : S == Size::Check ? 33 : 2048;
  const unsigned Height = S == Size::Case ? 4 : S == Size::Check ? 12 : 2048;
  const Extent Block = S == Size::Case ? Extent{4, 4} : Extent{32, 8};
  const Extent Grid = {blocksFor(Width, Block.X), blocksFor(Height, Block.Y)};
  const size_t Cells = size_t(Width) * Height;
  // Near equilibrium at rest: the weights, each changed a little.
  auto Population = [=](size_t I) {
    size_t Q = I / Cells;
    double Weight = Q == 0 ? 4.0 / 9 : Q < 5 ? 1.0 / 9 : 1.0 / 36;
    return double(float(Weight * uniform(1, I, 0.8, 1.2)));
  };
  Program P;
  P.Name = "lbm";
  P.Title = "One step of the lattice-Boltzmann method, D2Q9";
  P.Args = {
      input("populations", ElementType::Real, 9 * Cells, Population, 2e-5),
      input("relaxation", ElementType::Real, Cells, between(2, 0.6, 1.8)),
      output("next", ElementType::Real, 9 * Cells, between(3, -1, 1)),
      scalar("width", ElementType::I32, Width),
      scalar("height", ElementType::I32, Height)};
  P.Primal = {"lbm",
              Grid,
              Block,
              0,
              {"populations", "relaxation", "next", "width", "height"}};
  P.Hand = {{"lbm_hand",
             Grid,
             Block,
             0,
             {"populations", "relaxation", "d_next", "d_populations",
              "d_relaxation", "width", "height"}}};
  P.AdjointBytes = 4.0 * double(Cells) * (9 + 9 + 2 * 9 + 1 + 2);
  return P;
}

} // namespace kdiff::bench
