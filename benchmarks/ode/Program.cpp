//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which trajectories are followed, for how many
// steps?
//
//===----------------------------------------------------------------------===//
#include "harness/Programs.h"

namespace kdiff::bench {

Program ode(Size S) {
  const size_t Count = S == Size::Case    ? 20
                       : S == Size::Check ? 300
                                          : size_t(1) << 20;
  const double Longest = S == Size::Case ? 12 : S == Size::Check ? 60 : 1000;
  // x, y, z, then sigma, rho, beta, about those of Lorenz.
  auto State = [=](size_t I) {
    return I < 2 * Count ? uniform(1, I, -5, 5) : uniform(1, I, 15, 25);
  };
  auto Parameter = [=](size_t I) {
    return I < Count       ? uniform(2, I, 9, 11)
           : I < 2 * Count ? uniform(2, I, 20, 28)
                           : uniform(2, I, 2.4, 2.8);
  };
  Program P;
  P.Name = "ode";
  P.Title = "The Lorenz system, each thread with its number of steps";
  P.Real = ElementType::F64;
  P.Args = {input("states", ElementType::F64, 3 * Count, State),
            input("parameters", ElementType::F64, 3 * Count, Parameter),
            constant("steps", ElementType::I32, Count,
                     [=](size_t I) {
                       return double(
                           int(uniform(3, I, 0.5 * Longest, Longest)));
                     }),
            output("finals", ElementType::F64, 3 * Count, between(4, -1, 1)),
            scalar("h", ElementType::F64, 0.0009765625),
            scalar("count", ElementType::I32, double(Count))};
  const unsigned Block = S == Size::Case ? 32 : 128;
  P.Primal = {"ode",
              {blocksFor(Count, Block)},
              {Block},
              0,
              {"states", "parameters", "steps", "finals", "h", "count"}};
  P.Hand = {{"ode_hand",
             {blocksFor(Count, 128)},
             {128},
             0,
             {"states", "parameters", "steps", "d_finals", "d_states",
              "d_parameters", "h", "count"}}};
  P.AdjointBytes = 8.0 * double(Count) * (6 + 3 + 2 * 6) + 4.0 * double(Count);
  P.FullTolerance = 1e-9;
  return P;
}

} // namespace kdiff::bench
