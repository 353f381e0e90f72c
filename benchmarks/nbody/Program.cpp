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
  auto Seed = [](uint64_t Stream) {
    return [=](size_t I) { return uniform(Stream, I, -1, 1); };
  };
  auto Scalar = [](const char *Name, ElementType Type, double Value) {
    return Argument{Name, Role::ByValue, Type, 1,
                    [=](size_t) { return Value; }};
  };
  Program P;
  P.Name = "nbody";
  P.Title = "One step of the all-pairs n-body problem";
  P.Args = {{"bodies", Role::Differentiated, ElementType::Real, 4 * Count,
             [=](size_t I) { return double(float(Body(I))); }},
            {"velocities", Role::Differentiated, ElementType::Real, 4 * Count,
             Velocity},
            {"bodiesOut", Role::Output, ElementType::Real, 4 * Count, nullptr,
             Seed(4)},
            {"velocitiesOut", Role::Output, ElementType::Real, 4 * Count,
             nullptr, Seed(5)},
            Scalar("step", ElementType::Real, 0.0625),
            Scalar("softening", ElementType::Real, 0.0078125),
            Scalar("count", ElementType::I32, double(Count))};
  const unsigned Grid = blocksFor(Count, Block);
  P.Primal = {"nbody",
              Grid,
              Block,
              0,
              {"bodies", "velocities", "bodiesOut", "velocitiesOut", "step",
               "softening", "count"}};
  // The hand-written kernel's tile is its block size.
  P.Hand = {{"nbody_hand",
             blocksFor(Count, 256),
             256,
             0,
             {"bodies", "d_bodiesOut", "d_velocitiesOut", "d_bodies",
              "d_velocities", "step", "softening", "count"}}};
  P.AdjointBytes = 16.0 * Count * (1 + 2 + 2 * 2);
  return P;
}

} // namespace kdiff::bench
