//===- ExecutorDevice.h - The SIMT executor as a device --------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do cases and checks run without a card?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_EXECUTORDEVICE_H
#define KDIFF_TOOL_EXECUTORDEVICE_H

#include "cases/Device.h"
#include "simt/Executor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <vector>

namespace llvm {
class Module;
}

namespace kdiff::tool {

/// How the executor is to run kernels.
struct ExecutorOptions {
  bool Checks = false;         ///< See simt::DeviceOptions.
  std::vector<uint64_t> Seeds; ///< A run for each, in a random order; empty:
                               ///< one run in the fixed order.

  size_t runs() const { return Seeds.empty() ? 1 : Seeds.size(); }
};

class ExecutorDevice final : public Device {
public:
  /// Compiles a copy of \p M for the host. \p Libdevice as in Executor.h.
  static llvm::Expected<std::unique_ptr<ExecutorDevice>>
  create(const llvm::Module &M, llvm::StringRef Libdevice,
         const ExecutorOptions &Options);

  /// Calls \p Work once for each seed, and stops at the first error, which is
  /// told with its seed. \p Variables, of the module, start each time as they
  /// are now.
  llvm::Error forEachSeed(llvm::ArrayRef<std::string> Variables,
                          llvm::function_ref<llvm::Error()> Work);

  llvm::Expected<Address> allocate(size_t Bytes, llvm::StringRef Name) override;
  llvm::Expected<Address> allocateScratch(size_t Bytes,
                                          llvm::StringRef Name) override;
  llvm::Error write(Address To, llvm::StringRef Bytes) override;
  llvm::Expected<std::string> read(Address From, size_t Bytes) override;
  llvm::Error fill(Address At, size_t Bytes, uint8_t Value) override;
  Symbol symbol(llvm::StringRef Name) override;
  llvm::Error launch(llvm::StringRef Kernel, const Dim3 &Grid,
                     const Dim3 &Block, size_t DynamicShared,
                     llvm::ArrayRef<void *> Args,
                     std::string &Printed) override;

private:
  ExecutorDevice(std::unique_ptr<simt::Device> D,
                 const ExecutorOptions &Options)
      : D(std::move(D)), Options(Options) {}
  std::unique_ptr<simt::Device> D;
  ExecutorOptions Options;
  simt::LaunchOptions Launches;
};

} // namespace kdiff::tool
#endif // KDIFF_TOOL_EXECUTORDEVICE_H
