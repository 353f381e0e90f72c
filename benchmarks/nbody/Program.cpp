//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which bodies move?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program nbody(Size S) {
  const size_t Count = S == Size::Case    ? 12
                       : S == Size::Check ? 700
                                          : size_t(1) << 16;
  const unsigned Block = S == Size::Case ? 8 : 256;
  // Masses add up to one, as in N-body units; the cube's side is two.
  auto Body = [=](size_t I) {
    return I % 4 == 3 ? uniform(1, I, 0.5, 1.5) / double(Count)
                      : uniform(2, I, -1, 1);
  };
  auto Velocity = [](size_t I) {
    return I % 4 == 3 ? 0 : uniform(3, I, -0.5, 0.5);
  };
  Program P;
  P.Name = "nbody";
  P.Title = "One step of the all-pairs n-body problem";
  const size_t Words = 4 * Count;
  P.Args = {
      input("bodies", ElementType::Real, Words,
            [=](size_t I) { return double(float(Body(I))); }),
      input("velocities", ElementType::Real, Words, Velocity),
      output("bodiesOut", ElementType::Real, Words, between(4, -1, 1)),
      output("velocitiesOut", ElementType::Real, Words, between(5, -1, 1)),
      scalar("step", ElementType::Real, 0.0625),
      scalar("softening", ElementType::Real, 0.0078125),
      scalar("count", ElementType::I32, double(Count))};
  P.Primal = {"nbody",
              {blocksFor(Count, Block)},
              {Block},
              0,
              {"bodies", "velocities", "bodiesOut", "velocitiesOut", "step",
               "softening", "count"}};
  // The hand-written kernel's tile is its block size.
  P.Hand = {{"nbody_hand",
             {blocksFor(Count, 256)},
             {256},
             0,
             {"bodies", "d_bodiesOut", "d_velocitiesOut", "d_bodies",
              "d_velocities", "step", "softening", "count"}}};
  P.AdjointBytes = 16.0 * Count * (1 + 2 + 2 * 2);
  return P;
}

} // namespace kdiff::bench
