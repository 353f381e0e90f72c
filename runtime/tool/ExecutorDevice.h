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

namespace llvm {
class Module;
}

namespace kdiff::tool {

class ExecutorDevice final : public Device {
public:
  /// Compiles a copy of \p M for the host. \p Libdevice as in Executor.h.
  static llvm::Expected<std::unique_ptr<ExecutorDevice>>
  create(const llvm::Module &M, llvm::StringRef Libdevice);

  llvm::Expected<Address> allocate(size_t Bytes, llvm::StringRef Name) override;
  llvm::Error write(Address To, llvm::StringRef Bytes) override;
  llvm::Expected<std::string> read(Address From, size_t Bytes) override;
  llvm::Error fill(Address At, size_t Bytes, uint8_t Value) override;
  Symbol symbol(llvm::StringRef Name) override;
  llvm::Error launch(llvm::StringRef Kernel, const Dim3 &Grid,
                     const Dim3 &Block, size_t DynamicShared,
                     llvm::ArrayRef<void *> Args,
                     std::string &Printed) override;

private:
  explicit ExecutorDevice(std::unique_ptr<simt::Device> D) : D(std::move(D)) {}
  std::unique_ptr<simt::Device> D;
};

} // namespace kdiff::tool
#endif // KDIFF_TOOL_EXECUTORDEVICE_H
