//===- Quotients.h - Derivatives by difference quotients -------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what is a kernel's derivative by differences of
// the primal alone, and how far can that number be trusted?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CHECK_QUOTIENTS_H
#define KDIFF_TOOL_CHECK_QUOTIENTS_H

#include "cases/Memory.h"
#include <cmath>

namespace kdiff::tool {

/// A difference quotient. From central differences D(h) and D(h/2):
/// Value = (4 D(h/2) - D(h)) / 3 (Richardson), Doubt = |D(h/2) - D(h)| plus
/// what rounding of the primal's results can do. Where the one-sided
/// differences disagree as well, the primal has a kink, and Doubt is at least
/// their distance.
struct Quotient {
  double Value = 0, Doubt = 0;
};

/// The name of each differentiable argument or field: dup buffers, active
/// scalars, "struct.field" for active fields.
std::vector<std::string> differentiableNames(const Case &C);
/// Those of them that lie in memory: what a kernel can write.
std::vector<std::string> outputNames(const Case &C);
/// Where the numbers of \p Name are, those of integer type left out.
std::vector<std::pair<unsigned, Slot>> slotsOf(const Case &C,
                                               llvm::StringRef Name);

/// Name -> one double per slot (slotsOf).
using Vectors = std::map<std::string, std::vector<double>>;

/// The primal of a case with one launch, as a function of its arguments.
class PrimalFunction {
public:
  /// \p D has the kernel loaded, and outlives the result. \p Variables are
  /// the device variables that it may write.
  static llvm::Expected<PrimalFunction>
  create(const Case &C, Device &D, llvm::ArrayRef<std::string> Variables);

  /// The outputs for the case's arguments moved by \p Step * \p Direction
  /// (names without an entry stay).
  llvm::Expected<Vectors> evaluate(const Vectors &Direction, double Step);

  /// The derivative of every output in \p Direction. The steps are relative
  /// to it: it should be about as large as the arguments themselves. They are
  /// a sixteenth as wide for each \p Narrowing.
  llvm::Expected<std::map<std::string, std::vector<Quotient>>>
  derivative(const Vectors &Direction, unsigned Narrowing = 0);
  static constexpr double NarrowingFactor = 16;
  /// Whether steps narrowed so often still move the arguments well.
  bool canNarrow(unsigned Narrowing) const {
    return step(Narrowing) >= 64 * Precision;
  }

private:
  PrimalFunction(const Case &C, Device &D, Memory M)
      : C(C), D(D), M(std::move(M)) {}

  double step(unsigned Narrowing) const {
    return H / std::pow(NarrowingFactor, Narrowing);
  }

  const Case &C;
  Device &D;
  Memory M;
  Memory::Snapshot Initial;
  std::vector<Symbol> Variables;
  Vectors Base;         ///< Outputs without a step.
  double H = 0;         ///< The widest step.
  double Precision = 0; ///< Of the coarsest floating-point argument.
};

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CHECK_QUOTIENTS_H
