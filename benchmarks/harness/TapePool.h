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
  /// Bytes of the pages that launches have written to: those with something
  /// other than zero at their beginning. Pages are handed out from the first
  /// on, so this is about what was in use at a time.
  llvm::Expected<uint64_t> bytesWritten();

private:
  TapePool(Backend &B, void *Pool) : B(B), Pool(Pool) {}
  llvm::Expected<PoolHeader> header();
  Backend &B;
  void *Pool;
};

} // namespace kdiff::bench
#endif // KDIFF_BENCHMARKS_HARNESS_TAPEPOOL_H
