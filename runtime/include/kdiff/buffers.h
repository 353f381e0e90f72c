//===- buffers.h - What memory held, and whether it is there ---*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is the content of device memory kept until
// the reverse sweep has read it, and not longer, and how is memory recognised?
//
// Memory is known by the blocks that were allocated. The driver numbers them,
// and never gives a number twice: so memory that was freed, or freed and
// allocated again at the same address, is told from what was recorded.
//
// What a block holds from one write to the next is its content. Steps that
// need it in reverse own a share of it. Before a step overwrites a block whose
// content somebody owns, the content is copied; the last owner frees the copy.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_BUFFERS_H
#define KDIFF_BUFFERS_H

#include <cstddef>
#include <cuda.h>
#include <cuda_runtime.h>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace kdiff {

/// Memory that a tape recorded is not there any more.
class StaleBuffer : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

namespace detail {

inline void checkTape(cudaError_t Error, const char *What) {
  if (Error != cudaSuccess)
    throw std::runtime_error(std::string("kdiff::Tape: ") + What + ": " +
                             cudaGetErrorString(Error));
}

/// Memory from the stream-ordered allocator.
class DeviceMemory {
public:
  DeviceMemory() = default;
  DeviceMemory(std::size_t Bytes, cudaStream_t Stream) : Stream(Stream) {
    checkTape(cudaMallocAsync(&Pointer, Bytes, Stream), "cudaMallocAsync");
  }
  DeviceMemory(DeviceMemory &&Other) noexcept
      : Pointer(std::exchange(Other.Pointer, nullptr)), Stream(Other.Stream) {}
  DeviceMemory &operator=(DeviceMemory &&Other) noexcept {
    std::swap(Pointer, Other.Pointer);
    std::swap(Stream, Other.Stream);
    return *this;
  }
  ~DeviceMemory() {
    if (Pointer)
      cudaFreeAsync(Pointer, Stream);
  }
  char *at() const { return static_cast<char *>(Pointer); }

private:
  void *Pointer = nullptr;
  cudaStream_t Stream = nullptr;
};

/// A block as the driver knows it.
struct Block {
  char *Start = nullptr;
  std::size_t Bytes = 0;
  unsigned long long Id = 0; ///< 0: there is no block.
};

/// The block of device memory that \p Pointer leads into. Waits for nothing.
inline Block blockOf(const void *Pointer) {
  using Query =
      CUresult (*)(unsigned, CUpointer_attribute *, void **, CUdeviceptr);
  static const Query Ask = [] {
    void *Function = nullptr;
    cudaDriverEntryPointQueryResult Found;
    checkTape(cudaGetDriverEntryPointByVersion("cuPointerGetAttributes",
                                               &Function, 12000,
                                               cudaEnableDefault, &Found),
              "cuPointerGetAttributes");
    return reinterpret_cast<Query>(Function);
  }();
  CUdeviceptr Start = 0;
  Block B;
  CUpointer_attribute Attributes[] = {CU_POINTER_ATTRIBUTE_RANGE_START_ADDR,
                                      CU_POINTER_ATTRIBUTE_RANGE_SIZE,
                                      CU_POINTER_ATTRIBUTE_BUFFER_ID};
  void *Results[] = {&Start, &B.Bytes, &B.Id};
  if (Ask(3, Attributes, Results, reinterpret_cast<CUdeviceptr>(Pointer)) !=
      CUDA_SUCCESS)
    return {};
  B.Start = reinterpret_cast<char *>(Start);
  return B;
}

/// What a block holds, until it is overwritten.
class Content {
public:
  ~Content() {
    if (Kept)
      *Kept -= Bytes;
  }
  /// Copies \p Of. \p Kept: the bytes of all copies of the tape.
  void keep(const Block &Of, const std::shared_ptr<std::size_t> &Kept,
            cudaStream_t Stream) {
    Copy = DeviceMemory(Of.Bytes, Stream);
    checkTape(cudaMemcpyAsync(Copy.at(), Of.Start, Of.Bytes,
                              cudaMemcpyDeviceToDevice, Stream),
              "cudaMemcpyAsync");
    Bytes = Of.Bytes;
    this->Kept = Kept;
    *Kept += Bytes;
  }
  bool isCopied() const { return Copy.at(); }
  /// Where it is; \p Own: the block itself.
  char *at(const Block &Own) const { return Copy.at() ? Copy.at() : Own.Start; }

private:
  DeviceMemory Copy; ///< Empty: it is in the block still.
  std::size_t Bytes = 0;
  std::shared_ptr<std::size_t> Kept;
};
using SharedContent = std::shared_ptr<Content>;

struct Buffer {
  Block B;
  SharedContent Current = std::make_shared<Content>();
  /// Shadows of some step lie in it, so that it cannot be brought back to what
  /// it was.
  bool HoldsShadows = false;

  /// Somebody will read what it holds now.
  bool isNeeded() const { return Current.use_count() > 1; }
};

/// The blocks that a tape's steps use.
class Buffers {
public:
  explicit Buffers(cudaStream_t Stream) : Stream(Stream) {}

  /// The block of \p Pointer; its address stays. Throws StaleBuffer if another
  /// was there whose content is needed, invalid_argument if none is there.
  /// \p User: who asks, for the message.
  Buffer &find(const void *Pointer, std::string (*User)()) {
    Block B = blockOf(Pointer);
    if (!B.Id)
      throw std::invalid_argument(
          "kdiff::Tape: a pointer given to " + User() +
          " leads to no device memory that is allocated");
    auto [At, IsNew] = ByStart.try_emplace(B.Start);
    Buffer &Known = At->second;
    if (!IsNew && Known.B.Id != B.Id && Known.isNeeded())
      throw StaleBuffer("kdiff::Tape: memory that " + User() +
                        " is given was freed and allocated again while the "
                        "tape needs what it held: free it behind backward()");
    if (IsNew || Known.B.Id != B.Id) {
      Known = Buffer();
      Known.B = B;
    }
    return Known;
  }

  /// \p Shadow, null or not, is that of an argument of \p User.
  void noteShadow(const void *Shadow, std::string (*User)()) {
    if (Shadow)
      find(Shadow, User).HoldsShadows = true;
  }

  void forgetShadows() {
    for (auto &[Start, Of] : ByStart)
      Of.HoldsShadows = false;
  }

  /// Call before \p Of is written to: keeps what it holds if that is needed.
  void overwrite(Buffer &Of) {
    if (!Of.isNeeded())
      return;
    Of.Current->keep(Of.B, Kept, Stream);
    Of.Current = std::make_shared<Content>();
  }
  void overwriteAll() {
    for (auto &[Start, Of] : ByStart)
      overwrite(Of);
  }

  /// Where a loop asks which blocks its steps use: the block, and whether it
  /// is written.
  using Notes = std::map<Buffer *, bool>;
  /// Starts to note; the notes before (null: nobody asked) come back.
  Notes *collect(Notes *In) { return std::exchange(Noted, In); }
  void note(Buffer &Of, bool IsWritten) { (*Noted)[&Of] |= IsWritten; }

  /// Bytes of the copies that are kept.
  std::size_t keptBytes() const { return *Kept; }

private:
  cudaStream_t Stream;
  std::shared_ptr<std::size_t> Kept = std::make_shared<std::size_t>(0);
  std::map<char *, Buffer> ByStart;
  Notes *Noted = nullptr;
};

} // namespace detail
} // namespace kdiff
#endif // KDIFF_BUFFERS_H
