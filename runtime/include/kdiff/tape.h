//===- tape.h - A tape for gradient launches -------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a CUDA program give its gradient
// kernels the memory for their tapes?
//
//   kdiff::TapePool Pool(64 << 20, Blocks * ThreadsPerBlock);
//   Pool.attach();
//   grad<<<Blocks, ThreadsPerBlock>>>(…);
//
// Only gradients that must keep values of loops need one; `kdiff grad` and the
// "Taped" remarks say so. Pages are for the threads that are resident at a
// time and are used again by those that follow, so a pool is usually much
// smaller than threads × bytes.
//
// Split mode has a kdiff::SplitTape for each launch that waits for its reverse:
//
//   kdiff::SplitTape Tape(256 << 20, Blocks * ThreadsPerBlock);
//   augment<<<Blocks, ThreadsPerBlock>>>(Tape.device(), …); // __kd_augment
//   …
//   reverse<<<Blocks, ThreadsPerBlock>>>(Tape.device(), …); // __kd_reverse
//
// It holds the tapes of all threads of the launch at once: threads × bytes,
// rounded up to pages for each warp.
//
// Without a pool, or with one that is too small, a gradient prints what it
// needs and traps: it never returns a wrong number. A program that would
// rather go on passes OnExhaustion::Note and calls check() after the launch.
//
// For clang's CUDA. Errors are exceptions.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TAPE_H
#define KDIFF_TAPE_H

#include "kdiff/TapeLayout.h"
#include <algorithm>
#include <cstddef>
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

// Units that are linked for the device (-fgpu-rdc) share one variable; others
// have device code, and so a variable, of their own.
#ifdef __CLANG_RDC__
#define KD_VARIABLE(Name, Symbol)                                              \
  __attribute__((weak)) __device__ kdiff::PoolHeader *KDiff##Name __asm__(     \
      Symbol);
#else
#define KD_VARIABLE(Name, Symbol)                                              \
  namespace {                                                                  \
  __device__ kdiff::PoolHeader *KDiff##Name __asm__(Symbol);                   \
  }
#endif
#include "kdiff/ABI.def"

namespace kdiff {

/// A launch needed more tape than its pool had; its results are worthless.
class TapeExhausted : public std::runtime_error {
public:
  /// \p Launch: whose tape it was, if that is known.
  explicit TapeExhausted(const PoolHeader &Report,
                         const std::string &Launch = "")
      : std::runtime_error(message(Report) +
                           (Launch.empty() ? "" : "; the launch of " + Launch)),
        Report(Report) {}

  /// LackingBytes, FailedThreads, PagesPerWarp, WarpsNeeded, Conflicts.
  const PoolHeader Report;

private:
  static std::string message(const PoolHeader &R) {
    if (R.Conflicts)
      return "kdiff: a tape's pool was used by two launches at once; give "
             "each stream a pool of its own";
    std::string Text =
        "kdiff: the tape's pool of " + std::to_string(R.Bytes) +
        " bytes was exhausted: " + std::to_string(R.FailedThreads) +
        " threads lacked " + std::to_string(R.LackingBytes) + " bytes together";
    if (R.WarpsNeeded)
      return Text + "; the pool is for " + std::to_string(R.Warps) +
             " warps, and the launch has at least " +
             std::to_string(R.WarpsNeeded);
    return Text + "; a warp needs up to " + std::to_string(R.PagesPerWarp) +
           " pages of " + std::to_string(TapePageBytes) + " bytes";
  }
};

namespace detail {
inline void checkCuda(cudaError_t Error, const char *What) {
  if (Error != cudaSuccess)
    throw std::runtime_error(std::string("kdiff::TapePool: ") + What + ": " +
                             cudaGetErrorString(Error));
}

/// The pool variables of the program's units. All are set together: a template
/// that two units instantiate is one function for the host, which launches the
/// kernel of either.
inline std::vector<const void *> &poolVariables() {
  static std::vector<const void *> All;
  return All;
}
} // namespace detail

namespace {
const struct KDiffUnit {
  KDiffUnit() { detail::poolVariables().push_back(&KDiffTapePool); }
  ~KDiffUnit() {
    std::vector<const void *> &All = detail::poolVariables();
    All.erase(std::find(All.begin(), All.end(), &KDiffTapePool));
  }
  KDiffUnit(const KDiffUnit &) = delete;
} ThisKDiffUnit;
} // namespace

enum class OnExhaustion {
  Trap = TapeTrapOnExhaustion, ///< The launch fails with a message.
  Note = TapeNoteExhaustion    ///< check() after the launch throws.
};

/// The memory of the tapes of launches in one stream.
class TapePool {
public:
  /// \p Bytes of memory of the current device, for launches of up to
  /// \p Threads threads (rounded up to whole warps for each block).
  TapePool(std::size_t Bytes, std::size_t Threads,
           cudaStream_t Stream = nullptr,
           OnExhaustion Policy = OnExhaustion::Trap)
      : TapePool(Bytes, Threads, Stream, Policy, /*IsSplit=*/false) {}
  ~TapePool() { cudaFree(Pool); }
  TapePool(TapePool &&Other) noexcept
      : Initial(Other.Initial), Pool(std::exchange(Other.Pool, nullptr)),
        Stream(Other.Stream) {}
  TapePool &operator=(TapePool &&) = delete;

  /// The pool in device memory.
  void *device() const { return Pool; }

  /// Makes the program's gradients use the pool, in launches that follow in the
  /// pool's stream. A captured graph does so each time that it is launched.
  void attach() const {
    for (const void *Variable : detail::poolVariables())
      detail::checkCuda(cudaMemcpyToSymbolAsync(Variable, &Pool, sizeof(Pool),
                                                0, cudaMemcpyHostToDevice,
                                                Stream),
                        "cudaMemcpyToSymbolAsync");
  }

  /// What the launches since the last reset() lacked. Waits for the stream.
  PoolHeader report() const {
    PoolHeader Now;
    detail::checkCuda(cudaMemcpyAsync(&Now, Pool, sizeof(Now),
                                      cudaMemcpyDeviceToHost, Stream),
                      "cudaMemcpyAsync");
    detail::checkCuda(cudaStreamSynchronize(Stream), "cudaStreamSynchronize");
    return Now;
  }

  /// Throws TapeExhausted if the launches since the last reset() lacked
  /// anything. Waits for the stream.
  void check() const {
    PoolHeader Now = report();
    if (Now.FailedThreads)
      throw TapeExhausted(Now);
  }

  /// Makes the pool as new: after exhaustion, or after a launch whose threads
  /// ended before their gradient did ("exit" in inline PTX).
  void reset() {
    detail::checkCuda(
        cudaMemsetAsync(reinterpret_cast<char *>(Pool) + Initial.RootsOffset, 0,
                        Initial.DumpOffset - Initial.RootsOffset, Stream),
        "cudaMemsetAsync");
    detail::checkCuda(cudaMemcpyAsync(Pool, &Initial, sizeof(Initial),
                                      cudaMemcpyHostToDevice, Stream),
                      "cudaMemcpyAsync");
  }

protected:
  TapePool(std::size_t Bytes, std::size_t Threads, cudaStream_t Stream,
           OnExhaustion Policy, bool IsSplit)
      : Stream(Stream) {
    unsigned long long Warps = (Threads + TapeLanes - 1) / TapeLanes;
    if (!initTapePool(&Initial, Bytes, Warps, unsigned(Policy), IsSplit))
      throw std::invalid_argument(
          "kdiff::TapePool: " + std::to_string(Bytes) +
          " bytes have no room "
          "for a page; the least for this many threads is " +
          std::to_string(tapePoolBytes(Warps, 1, IsSplit)));
    detail::checkCuda(cudaMalloc(&Pool, Bytes), "cudaMalloc");
    reset();
  }

private:
  PoolHeader Initial;
  PoolHeader *Pool = nullptr;
  cudaStream_t Stream;
};

/// What one launch of __kd_augment keeps for its __kd_reverse.
class SplitTape : public TapePool {
public:
  /// \p Threads must be those of the launch, rounded up to whole warps for
  /// each block.
  SplitTape(std::size_t Bytes, std::size_t Threads,
            cudaStream_t Stream = nullptr,
            OnExhaustion Policy = OnExhaustion::Trap)
      : TapePool(Bytes, Threads, Stream, Policy, /*IsSplit=*/true) {}
};

} // namespace kdiff
#endif // KDIFF_TAPE_H
