//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how long do a program's primal, hand-written
// adjoint and gradient take on a card?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_BENCHMARKS_HARNESS_MEASURE_H
#define KDIFF_BENCHMARKS_HARNESS_MEASURE_H

#include "harness/Program.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace kdiff::bench {

struct Measurement {
  std::string Name;
  std::optional<double> PrimalMs, HandMs, KDiffMs;
  /// The bytes that an adjoint has to move, over KDiff's time.
  std::optional<double> GBPerSecond;
  /// Bytes of the pages that the launch needs at a time, by resident thread.
  std::optional<double> TapeBytesPerThread;
  std::optional<int> Registers, SpillBytes; ///< Of KDiff's gradient.
  /// KDiff's gradient against the hand-written one: the worst element of the
  /// small run in both precisions and of the measured run.
  std::optional<double> MaxError;
  /// The hand-written adjoint against finite differences, double precision.
  std::optional<double> HandError;
  std::string WorstElement;
  std::string Failure; ///< Why something is missing; empty: nothing is.
};

struct MeasureOptions {
  std::string Folder;     ///< Where the cubins lie.
  unsigned Launches = 20; ///< Timed launches, at most.
  double Seconds = 1;     ///< Device time spent on the timed launches.
  uint64_t TapeBytes = uint64_t(8) << 30;
};

/// Checks \p Make's gradients at the small size, then measures at the full
/// one. What fails is noted in the result.
Measurement measure(Program (*Make)(Size), const MeasureOptions &O);

/// The card's name and its copy bandwidth, bytes read plus bytes written.
struct Card {
  std::string Name;
  double CopyGBPerSecond = 0;
};
llvm::Expected<Card> measureCard();

} // namespace kdiff::bench
#endif // KDIFF_BENCHMARKS_HARNESS_MEASURE_H
