//===- tape_kernels.h - The kernels behind a tape's launches ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which kernels does kdiff::Tape launch for a
// kernel, what does it know about them, and how does it learn that one lacked
// tape?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TAPE_KERNELS_H
#define KDIFF_TAPE_KERNELS_H

#include <kdiff/KernelFacts.h>
#include <kdiff/buffers.h>
#include <kdiff/gradient.h>
#include <new>

namespace kdiff {

class Tape;

namespace detail {

/// Augmented primal and gradient of \p K, for the facts about them.
template <auto K, class... A> struct SplitKernel {};
template <auto K, class... A> struct AgainKernel {};
namespace {
/// Of each translation unit: variables that several share cannot be registered
/// with the CUDA runtime by each.
template <class Kernel> __device__ KernelFacts Facts;
} // namespace

/// \p Facts of the kernel, on the host. \p Name: of the primal.
template <class Kernel> const KernelFacts &factsOf(std::string (*Name)()) {
  static const KernelFacts Read = [&] {
    KernelFacts Now = {};
    // Not in the stream of any launch, so that nothing of the caller's waits,
    // or is captured.
    cudaStreamCaptureMode Mode = cudaStreamCaptureModeRelaxed;
    cudaThreadExchangeStreamCaptureMode(&Mode);
    cudaStream_t Own;
    cudaError_t Error = cudaStreamCreateWithFlags(&Own, cudaStreamNonBlocking);
    if (Error == cudaSuccess) {
      Error = cudaMemcpyFromSymbolAsync(&Now, Facts<Kernel>, sizeof(Now), 0,
                                        cudaMemcpyDeviceToHost, Own);
      if (Error == cudaSuccess)
        Error = cudaStreamSynchronize(Own);
      cudaStreamDestroy(Own);
    }
    cudaThreadExchangeStreamCaptureMode(&Mode);
    checkTape(Error, "facts about a kernel");
    if (Now.Version != KernelFactsVersion)
      throw LaunchError("kdiff::Tape: " + Name() +
                            " was not compiled with this version of KDiff's "
                            "plugin (-fpass-plugin)",
                        cudaErrorInvalidDeviceFunction);
    return Now;
  }();
  return Read;
}

template <auto K, class... A> struct AugmentRequest {
  static constexpr Results Of = Results::Wanted;
  template <class... B>
  KDIFF_NO_FRAME static __device__ __forceinline__ void make(void *Tape,
                                                             B... arguments) {
    __kd_augment<void>(K, Tape, kd_facts, &Facts<SplitKernel<K, A...>>,
                       arguments...);
  }
};
template <auto K> struct ReverseRequest {
  static constexpr Results Of = Results::Wanted;
  template <class... B>
  KDIFF_NO_FRAME static __device__ __forceinline__ void make(void *Tape,
                                                             B... arguments) {
    __kd_reverse<void>(K, Tape, arguments...);
  }
};
/// Its results are there already.
template <auto K, class... A> struct AgainRequest {
  static constexpr Results Of = Results::Unwanted;
  template <class... B>
  KDIFF_NO_FRAME static __device__ __forceinline__ void make(void *Pool,
                                                             B... arguments) {
    __kd_autodiff<void>(K, kd_tape, Pool, kd_facts,
                        &Facts<AgainKernel<K, A...>>, arguments...);
  }
};

template <auto K, class... A>
KDIFF_NO_FRAME __global__ void augmented(void *Tape, A... arguments) {
  ask<AugmentRequest<K, A...>, sizeof...(A)>(Tape, arguments...);
}
template <auto K, class... A>
KDIFF_NO_FRAME __global__ void reversed(void *Tape, A... arguments) {
  ask<ReverseRequest<K>, sizeof...(A)>(Tape, arguments...);
}
template <auto K, class... A>
KDIFF_NO_FRAME __global__ void again(void *Pool, A... arguments) {
  ask<AgainRequest<K, A...>, sizeof...(A)>(Pool, arguments...);
}

inline std::string tapeName() { return "a tape"; }

/// Parameters carry the header: a captured graph keeps them.
template <class = void>
KDIFF_NO_FRAME __global__ void writeHeader(PoolHeader *To, PoolHeader Header) {
  *To = Header;
}

/// A pool (kdiff/TapeLayout.h) from the stream-ordered allocator.
class TapeMemory {
public:
  TapeMemory() = default;
  TapeMemory(unsigned long long Bytes, unsigned long long Warps, bool IsSplit,
             cudaStream_t Stream)
      : Memory(Bytes, Stream) {
    PoolHeader Header;
    if (!initTapePool(&Header, Bytes, Warps, TapeNoteExhaustion, IsSplit))
      throw std::invalid_argument("kdiff::Tape: a tape without a page");
    checkTape(cudaMemsetAsync(at() + Header.RootsOffset, 0,
                              Header.DumpOffset - Header.RootsOffset, Stream),
              "cudaMemsetAsync");
    char *To = at();
    void *Values[] = {&To, &Header};
    launchKernel("the pool of ", tapeName,
                 reinterpret_cast<const void *>(&writeHeader<>), 1, 1, Values,
                 0, Stream);
  }
  char *at() const { return Memory.at(); }

private:
  DeviceMemory Memory;
};

/// The bytes of a pool for gradients of \p Bytes a thread: pages are for the
/// warps that the device runs at a time.
inline unsigned long long residentBytes(unsigned long long Bytes,
                                        unsigned long long Warps) {
  int Device = 0, Processors = 0, Threads = 0;
  checkTape(cudaGetDevice(&Device), "cudaGetDevice");
  checkTape(cudaDeviceGetAttribute(&Processors, cudaDevAttrMultiProcessorCount,
                                   Device),
            "cudaDeviceGetAttribute");
  checkTape(cudaDeviceGetAttribute(
                &Threads, cudaDevAttrMaxThreadsPerMultiProcessor, Device),
            "cudaDeviceGetAttribute");
  unsigned long long Resident =
      (unsigned long long)Processors * Threads / TapeLanes;
  return tapePoolBytes(Warps, (Warps < Resident ? Warps : Resident) *
                                  tapePagesPerWarp(Bytes));
}

/// What a launch lacked, where the host can read it without waiting.
struct TapeReport {
  std::string (*Name)(); ///< The launch's; null: nothing was lacking so far.
  PoolHeader Pool;
};

template <class = void>
KDIFF_NO_FRAME __global__ void
reportLack(const PoolHeader *Pool, TapeReport *To, std::string (*Name)()) {
  if ((!Pool->FailedThreads && !Pool->Conflicts) || To->Name)
    return;
  To->Pool = *Pool;
  __threadfence_system();
  *static_cast<std::string (*volatile *)()>(&To->Name) = Name;
}

/// Whether the launches of a tape lacked anything.
class TapeStatus {
public:
  TapeStatus() {
    void *Pointer;
    checkTape(cudaMallocHost(&Pointer, sizeof(TapeReport)), "cudaMallocHost");
    Report = new (Pointer) TapeReport();
  }
  ~TapeStatus() { cudaFreeHost(Report); }
  TapeStatus(const TapeStatus &) = delete;

  /// Behind a launch of \p Name that used \p Pool, in its stream.
  void report(const TapeMemory &Pool, std::string (*Name)(),
              cudaStream_t Stream) {
    char *From = Pool.at();
    void *Values[] = {&From, &Report, &Name};
    launchKernel("the report of ", Name,
                 reinterpret_cast<const void *>(&reportLack<>), 1, 1, Values, 0,
                 Stream);
  }

  /// Throws TapeExhausted if one that has ended lacked anything. Once.
  void poll() {
    auto *At = static_cast<std::string (*volatile *)()>(&Report->Name);
    std::string (*Name)() = *At;
    if (!Name)
      return;
    PoolHeader Lacking = Report->Pool;
    *At = nullptr;
    throw TapeExhausted(Lacking, Name() + " (see TapeOptions::BytesPerThread)");
  }

private:
  TapeReport *Report;
};

} // namespace detail
} // namespace kdiff
#endif // KDIFF_TAPE_KERNELS_H
