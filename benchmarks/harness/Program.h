//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is a benchmark: which data does it
// work on, and which launches are its primal and its hand-written adjoint?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_BENCHMARKS_HARNESS_PROGRAM_H
#define KDIFF_BENCHMARKS_HARNESS_PROGRAM_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kdiff::bench {

enum class ElementType { Real, F32, F64, I32 };

/// What an argument is to the derivative.
enum class Role {
  Differentiated, ///< A buffer whose gradient is wanted; it has a shadow.
  Output,         ///< A buffer that is overwritten; its shadow holds the seed.
  Sum,            ///< A buffer that is only added to; its seed stays.
  Constant,       ///< A buffer without a shadow.
  ByValue,        ///< A scalar parameter; not differentiated.
  Scratch         ///< Memory of the hand-written adjoint alone; zeroed.
};

struct Argument {
  std::string Name;
  Role R;
  ElementType Type;
  size_t Count = 1;
  /// Element I before the launch. Values must be exact in single precision,
  /// so that runs of both precisions see the same numbers. Null: zeros.
  std::function<double(size_t I)> Value = nullptr;
  /// Element I of the seed (Output and Sum); exact in single precision.
  std::function<double(size_t I)> Seed = nullptr;
  /// The step of finite differences, times max(1, |value|).
  double Step = 1e-4;

  bool hasShadow() const {
    return R == Role::Differentiated || R == Role::Output || R == Role::Sum;
  }
};

struct Extent {
  unsigned X = 1, Y = 1;
};

struct Launch {
  std::string Kernel;
  Extent Grid, Block;
  size_t DynamicShared = 0;
  /// The parameters in order: an argument's name, or "d_" and that name for
  /// its shadow.
  std::vector<std::string> Args;
};

/// The sizes a program comes in.
enum class Size {
  Case,  ///< Tens of elements: for a case folder.
  Check, ///< Thousands: every code path is met, finite differences are cheap.
  Full   ///< Fills the card.
};

struct Program {
  std::string Name;
  std::string Title; ///< What it computes, in one line.
  /// Where a case of it belongs: "core", or "threads" if threads cooperate.
  std::string Area = "core";
  /// What REAL is; with F64 the sources name their type themselves.
  ElementType Real = ElementType::F32;
  std::vector<Argument> Args;
  Launch Primal;
  std::vector<Launch> Hand;
  /// Bytes that an adjoint has to move at least: each input, seed and gradient
  /// once (gradients twice where they are added to).
  double AdjointBytes = 0;
  /// The largest error of a gradient, by errorOf(): against the hand-written
  /// adjoint in double precision, at the size Check.
  double Tolerance = 1e-5;
  /// The same against the hand-written adjoint in the program's own precision,
  /// at the size Full: both round, and add in another order.
  double FullTolerance = 1e-4;

  const Argument &argument(const std::string &Name) const;
};

using Elements = std::function<double(size_t I)>;
/// Arguments of each role, \p Count elements long.
Argument input(std::string Name, ElementType T, size_t Count, Elements Value,
               double Step = 1e-4);
Argument output(std::string Name, ElementType T, size_t Count, Elements Seed);
Argument sum(std::string Name, ElementType T, size_t Count, Elements Seed);
Argument constant(std::string Name, ElementType T, size_t Count,
                  Elements Value);
Argument scalar(std::string Name, ElementType T, double Value);

/// A number between \p Low and \p High that depends on \p Stream and \p Index
/// alone, exact in single precision.
double uniform(uint64_t Stream, size_t Index, double Low, double High);

/// The same for every element.
Elements between(uint64_t Stream, double Low, double High);

/// One block of \p Block threads for each \p Block elements of \p Count.
unsigned blocksFor(size_t Count, unsigned Block);

} // namespace kdiff::bench
#endif // KDIFF_BENCHMARKS_HARNESS_PROGRAM_H
