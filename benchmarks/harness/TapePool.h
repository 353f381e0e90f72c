//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: where does a gradient's tape lie?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_BENCHMARKS_HARNESS_TAPEPOOL_H
#define KDIFF_BENCHMARKS_HARNESS_TAPEPOOL_H

#include "harness/Backend.h"
#include "kdiff/TapeLayout.h"

namespace kdiff::bench {

/// A pool of pages (kdiff/TapeLayout.h) for launches of one shape. The backend
/// outlives it.
class TapePool {
public:
  /// Makes a pool of about \p Bytes known to the loaded gradient.
  static llvm::Expected<std::unique_ptr<TapePool>>
  create(Backend &B, unsigned Grid, unsigned Block, uint64_t Bytes);
  ~TapePool();
  /// After launches: an error that says how much was lacking if the pool was
  /// exhausted.
  llvm::Error check();
  /// Whether a launch since the last restart() found too little room.
  llvm::Expected<bool> exhausted();
  /// Makes the pool as new, with the first \p Pages of its pages.
  llvm::Error restart(unsigned Pages);
  /// How many there are in all.
  unsigned pages() const { return Initial.Pages; }

private:
  TapePool(Backend &B, void *Pool, const PoolHeader &Initial)
      : B(B), Pool(Pool), Initial(Initial) {}
  llvm::Expected<PoolHeader> header();
  Backend &B;
  void *Pool;
  PoolHeader Initial; ///< With all pages.
};

} // namespace kdiff::bench
#endif // KDIFF_BENCHMARKS_HARNESS_TAPEPOOL_H
