//===- Simt.h - A CUDA device that is the SIMT executor ---------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what does the executor's back-end keep between
// a program's calls?
//
// Work in a stream is done when it is given, so streams and events hold no more
// than captures need; graphs are lists of work. As on a card, calls that would
// wait or allocate are errors while this process captures (unless relaxed), and
// end the capture in vain, a launch that fails leaves an error that stays, and
// memory that a kernel may not have is refused.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_HOST_SIMT_H
#define KDIFF_HOST_SIMT_H

#include "simt/Executor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/IR/LLVMContext.h"
#include <cuda_runtime_api.h>
#include <functional>
#include <map>
#include <mutex>
#include <vector>

namespace kdiff::host {

using Work = std::function<cudaError_t()>;

/// What was captured, in the order in which it was given.
struct Graph {
  std::vector<Work> Steps;
  std::vector<void *> Memory; ///< Allocated within; lives as long.
  /// A forbidden call was made meanwhile (CUDA programming guide, "Prohibited
  /// and Unhandled Operations"): all that is left is to end the capture.
  bool IsInvalid = false;
  ~Graph();
};

struct Stream {
  std::shared_ptr<Graph> Recording; ///< Null: not capturing.
};

struct Event {
  std::shared_ptr<Graph> Recording; ///< Recorded in a capture.
  double Milliseconds = 0;          ///< When it was recorded.
};

/// A module of the program, which is compiled when it is first used.
struct Image {
  const void *Wrapper = nullptr;
  int Number = -1; ///< In the device; -1: not compiled yet.
};

/// A kernel or variable by its address in the host program.
struct DeviceName {
  Image *In = nullptr;
  std::string Name;
  int DynamicShared = 48 << 10; ///< Of kernels: the most that launches may ask.
};

class Simt {
public:
  static Simt &get();
  std::unique_lock<std::recursive_mutex> lock() {
    return std::unique_lock<std::recursive_mutex>(Mutex);
  }

  //===--- Errors ---------------------------------------------------------===//

  /// What a call returns: notes an error; one that stays comes first.
  cudaError_t done(cudaError_t Error = cudaSuccess);
  /// Prints \p Message, and every later call returns \p Error.
  void breakDown(cudaError_t Error, const std::string &Message);
  cudaError_t lastError(bool Clear);

  //===--- Modules --------------------------------------------------------===//

  Image *addImage(const void *Wrapper);
  void removeImage(Image *I);
  void addName(Image *I, const void *Host, const char *Name);
  DeviceName *find(const void *Host);
  /// The number of the module in the device; -1 where it cannot be compiled,
  /// which was printed.
  int load(Image &I);
  simt::Device &device() { return *Device; }
  const simt::LaunchOptions &launches() const { return Launches; }

  //===--- Memory ---------------------------------------------------------===//

  struct Allocation {
    size_t Bytes = 0;
    unsigned long long Id = 0; ///< Never used again.
  };
  void *allocate(size_t Bytes);
  bool free(void *Pointer);
  /// The block that \p Pointer lies in, and its start; null: none.
  const Allocation *allocation(const void *Pointer,
                               const char **Start = nullptr) const;
  /// False if \p Bytes from \p Pointer reach over the end of a block, or
  /// into device memory that is in no block.
  bool isValid(const void *Pointer, size_t Bytes) const;
  /// The host has written there.
  void setDefined(void *Pointer, size_t Bytes, bool Defined);
  /// Threads keep undefined values on their tapes: if a pool's header is at
  /// \p Start, the start of a block, the block is for kernels alone.
  void noticePool(const void *Start);
  cudaError_t copy(void *To, const void *From, size_t Bytes);

  //===--- Streams --------------------------------------------------------===//

  Stream &stream(cudaStream_t S);
  /// Does \p W, or keeps it where the stream is captured.
  cudaError_t give(cudaStream_t S, Work W);
  /// For calls that wait or allocate, \p Of being the stream or event that they
  /// are about: an error while something is captured, which is invalid then.
  cudaError_t refuseInCapture(const std::shared_ptr<Graph> &Of = nullptr);
  std::vector<Stream *> Streams; ///< But for the default one.
  cudaStreamCaptureMode Mode = cudaStreamCaptureModeGlobal; ///< The thread's.
  cudaStreamCaptureMode CaptureMode = cudaStreamCaptureModeGlobal;

private:
  Simt();
  bool isCapturing() const;
  std::recursive_mutex Mutex;
  cudaError_t Last = cudaSuccess, Sticky = cudaSuccess;
  llvm::LLVMContext Context;
  std::unique_ptr<simt::Device> Device;
  simt::LaunchOptions Launches;
  std::vector<std::unique_ptr<Image>> Images;
  std::map<const void *, DeviceName> Names;
  std::map<const char *, Allocation> Allocations;
  unsigned long long NextId = 1;
  Stream Default;
};

} // namespace kdiff::host
#endif // KDIFF_HOST_SIMT_H
