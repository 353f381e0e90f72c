//===- Executor.h - NVPTX IR on the CPU ------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a program run CUDA kernels, given as
// NVPTX LLVM IR, on a machine without a GPU?
//
// The executor never includes the pass: it is an independent oracle.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_SIMT_EXECUTOR_H
#define KDIFF_SIMT_EXECUTOR_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace llvm {
class Module;
}

namespace kdiff::simt {

struct Dim3 {
  uint32_t X = 1, Y = 1, Z = 1;
};

/// The order in which runnable threads of a block are resumed. Random: some
/// warps are slow, and with checks threads are stopped at accesses as well.
enum class Schedule { Fifo, Lifo, Random };

struct LaunchOptions {
  /// Which of the device's modules has the kernel (Device::load).
  unsigned Module = 0;
  Schedule Order = Schedule::Fifo;
  uint64_t Seed = 1;
  unsigned TimeoutSeconds = 0; ///< 0: none.
};

struct DeviceOptions {
  /// Every access is checked: launches fail if a thread accesses memory that
  /// is not there, misaligned or another thread's, if two accesses race, if
  /// an undefined value decides a branch, an address or all of what is stored
  /// to global memory, or if the lanes of a warp wait at different barriers.
  /// Takes address space of 17 times the size of device memory.
  bool Checks = false;
};

/// Modules, compiled, and the device memory their launches see. Devices can
/// live side by side in a process; one launch at a time, not thread safe.
/// Blocks run one after the other, so a block that waits for a later one
/// never ends (TimeoutSeconds).
class Device {
public:
  /// Compiles a copy of \p M (any data layout and triple nvptx64) for the
  /// host. Constructs that cannot run there (textures, tensor cores, ...) are
  /// an error of the launches of kernels that reach them. \p Libdevice is
  /// linked for __nv_* calls that are only declared; empty: such a call cannot
  /// run.
  static llvm::Expected<std::unique_ptr<Device>>
  create(const llvm::Module &M, llvm::StringRef Libdevice = {},
         const DeviceOptions &Options = {});
  /// A device without a module as yet.
  static std::unique_ptr<Device> create(const DeviceOptions &Options);
  /// Compiles \p M as create() does. Its number: 0 for the first module.
  llvm::Expected<unsigned> load(const llvm::Module &M,
                                llvm::StringRef Libdevice = {});
  ~Device();

  /// Global memory, 256-byte aligned, filled with 0xFF (NaN); null when nothing
  /// of this size is left.
  void *tryAllocate(size_t Bytes, llvm::StringRef Name);
  /// The same; exhaustion is fatal with a message.
  void *allocate(size_t Bytes, llvm::StringRef Name);
  void free(void *Pointer);
  /// With checks: whether the host has written \p Bytes of global memory. New
  /// memory counts as written.
  void setDefined(void *Pointer, size_t Bytes, bool Defined);
  /// With checks: a block of global memory that kernels keep values in for
  /// themselves, so that undefined ones may be stored there.
  void setScratch(void *Pointer, size_t Bytes);
  /// The address and size of a __device__, __constant__ or __managed__
  /// variable of a module; null where there is none.
  void *symbol(llvm::StringRef Name, size_t *Bytes = nullptr,
               unsigned Module = 0) const;

  /// True for all memory that allocations may ever be in.
  bool isDeviceMemory(const void *Pointer) const;
  /// The bytes of each parameter of a kernel; empty where there is no such
  /// kernel.
  llvm::ArrayRef<size_t> parameterBytes(llvm::StringRef Kernel,
                                        unsigned Module = 0) const;

  /// Runs \p Kernel. \p Args point to the values of its parameters, in order
  /// (a by-value struct: to the struct), as for cuLaunchKernel. The error
  /// names kernel, block and thread, and what went wrong (trap, assertion,
  /// bad address, stack overflow, deadlock, time-out; with checks also what
  /// they found, a line for each pair of places in the source). printf output
  /// is appended to \p *Printed, or goes to stdout where that is null. Memory
  /// keeps what the threads wrote; the device can be used on.
  llvm::Error launch(llvm::StringRef Kernel, Dim3 Grid, Dim3 Block,
                     size_t DynamicShared, llvm::ArrayRef<void *> Args,
                     const LaunchOptions &Options = {},
                     std::string *Printed = nullptr);

private:
  Device();
  struct Impl;
  std::unique_ptr<Impl> P;
};

} // namespace kdiff::simt
#endif // KDIFF_SIMT_EXECUTOR_H
