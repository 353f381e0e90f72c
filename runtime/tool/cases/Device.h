//===- Device.h - Where kernels run -----------------------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: what must a device do so that cases and checks
// can run on it, be it the executor or a card?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TOOL_CASES_DEVICE_H
#define KDIFF_TOOL_CASES_DEVICE_H

#include "cases/CaseFile.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>

namespace kdiff::tool {

using Address = uint64_t;

struct Symbol {
  Address Where = 0; ///< 0: the module has no such variable.
  size_t Bytes = 0;
};

/// A device with one module loaded. Memory lives as long as the device.
class Device {
public:
  virtual ~Device() = default;
  /// Uninitialised global memory, at least 256-byte aligned.
  virtual llvm::Expected<Address> allocate(size_t Bytes,
                                           llvm::StringRef Name) = 0;
  /// The same for memory that only kernels look at.
  virtual llvm::Expected<Address> allocateScratch(size_t Bytes,
                                                  llvm::StringRef Name) {
    return allocate(Bytes, Name);
  }
  virtual llvm::Error write(Address To, llvm::StringRef Bytes) = 0;
  virtual llvm::Expected<std::string> read(Address From, size_t Bytes) = 0;
  virtual llvm::Error fill(Address At, size_t Bytes, uint8_t Value) = 0;
  virtual Symbol symbol(llvm::StringRef Name) = 0;
  /// Runs a kernel to its end. \p Args point to the parameters' values. What
  /// device printf wrote is appended to \p Printed.
  virtual llvm::Error launch(llvm::StringRef Kernel, const Dim3 &Grid,
                             const Dim3 &Block, size_t DynamicShared,
                             llvm::ArrayRef<void *> Args,
                             std::string &Printed) = 0;
};

} // namespace kdiff::tool
#endif // KDIFF_TOOL_CASES_DEVICE_H
