//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where do a benchmark's numbers come from?
//
//===----------------------------------------------------------------------===//
#include "harness/Program.h"
#include <cassert>
#include <cstdlib>

namespace kdiff::bench {

const Argument &Program::argument(const std::string &Name) const {
  for (const Argument &A : Args)
    if (A.Name == Name)
      return A;
  assert(false && "a launch names an argument that the program lacks");
  std::abort();
}

Argument input(std::string Name, ElementType T, size_t Count, Elements Value,
               double Step) {
  return {std::move(Name),
          Role::Differentiated,
          T,
          Count,
          std::move(Value),
          nullptr,
          Step};
}
Argument output(std::string Name, ElementType T, size_t Count, Elements Seed) {
  return {std::move(Name), Role::Output, T, Count, nullptr, std::move(Seed)};
}
Argument sum(std::string Name, ElementType T, size_t Count, Elements Seed) {
  return {std::move(Name), Role::Sum, T, Count, nullptr, std::move(Seed)};
}
Argument constant(std::string Name, ElementType T, size_t Count,
                  Elements Value) {
  return {std::move(Name), Role::Constant, T, Count, std::move(Value)};
}
Argument scalar(std::string Name, ElementType T, double Value) {
  return {std::move(Name), Role::ByValue, T, 1, [=](size_t) { return Value; }};
}

Elements between(uint64_t Stream, double Low, double High) {
  return [=](size_t I) { return uniform(Stream, I, Low, High); };
}

double uniform(uint64_t Stream, size_t Index, double Low, double High) {
  // SplitMix64: Steele, Lea, Flood, "Fast splittable pseudorandom number
  // generators", OOPSLA 2014.
  uint64_t Z = (Stream << 40) + Index + 0x9E3779B97F4A7C15ull;
  Z *= 0x9E3779B97F4A7C15ull;
  Z = (Z ^ (Z >> 30)) * 0xBF58476D1CE4E5B9ull;
  Z = (Z ^ (Z >> 27)) * 0x94D049BB133111EBull;
  Z ^= Z >> 31;
  double Unit = static_cast<double>(Z >> 11) * 0x1p-53;
  return static_cast<float>(Low + (High - Low) * Unit);
}

unsigned blocksFor(size_t Count, unsigned Block) {
  return static_cast<unsigned>((Count + Block - 1) / Block);
}

} // namespace kdiff::bench
