//===- CudaDevice.h - A card as a device ------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do cases run on a card, through nothing but
// the driver?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_RUNNER_CUDADEVICE_H
#define KDIFF_TOOL_RUNNER_CUDADEVICE_H

#include "cases/Device.h"
#include <memory>

namespace kdiff::tool {

struct CardInfo {
  std::string Name;
  unsigned Major = 0, Minor = 0; ///< Compute capability.
};

/// The first card. After a launch has failed, the process can use it no more.
class CudaDevice final : public Device {
public:
  /// Opens libcuda.so.1 and the first card.
  static llvm::Expected<std::unique_ptr<CudaDevice>> create();
  ~CudaDevice() override;

  const CardInfo &card() const;
  /// Loads a cubin; launches and symbols are its.
  llvm::Error load(llvm::StringRef Cubin);

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
  CudaDevice();
  struct Impl;
  std::unique_ptr<Impl> P;
};

} // namespace kdiff::tool
#endif // KDIFF_TOOL_RUNNER_CUDADEVICE_H
