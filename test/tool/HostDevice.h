//===- HostDevice.h - A device whose kernels are functions -----*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how are the tool's judgements tested with
// gradients that are wrong on purpose?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TEST_TOOL_HOSTDEVICE_H
#define KDIFF_TEST_TOOL_HOSTDEVICE_H

#include "cases/Device.h"
#include <cstring>
#include <functional>
#include <map>
#include <memory>

namespace kdiff::tool {

/// The value of parameter \p Index.
template <class T> T argument(llvm::ArrayRef<void *> Args, unsigned Index) {
  T Value;
  std::memcpy(&Value, Args[Index], sizeof Value);
  return Value;
}

class HostDevice final : public Device {
public:
  using Kernel = std::function<void(llvm::ArrayRef<void *>)>;
  std::map<std::string, Kernel> Kernels;

  llvm::Expected<Address> allocate(size_t Bytes, llvm::StringRef) override {
    Blocks.push_back(std::make_unique<char[]>(Bytes));
    return reinterpret_cast<Address>(Blocks.back().get());
  }
  llvm::Error write(Address To, llvm::StringRef Bytes) override {
    std::memcpy(reinterpret_cast<void *>(To), Bytes.data(), Bytes.size());
    return llvm::Error::success();
  }
  llvm::Expected<std::string> read(Address From, size_t Bytes) override {
    return std::string(reinterpret_cast<char *>(From), Bytes);
  }
  llvm::Error fill(Address At, size_t Bytes, uint8_t Value) override {
    std::memset(reinterpret_cast<void *>(At), Value, Bytes);
    return llvm::Error::success();
  }
  Symbol symbol(llvm::StringRef) override { return {}; }
  llvm::Error launch(llvm::StringRef Name, const Dim3 &, const Dim3 &, size_t,
                     llvm::ArrayRef<void *> Args, std::string &) override {
    auto It = Kernels.find(Name.str());
    if (It == Kernels.end())
      return llvm::createStringError("no kernel");
    It->second(Args);
    return llvm::Error::success();
  }

private:
  std::vector<std::unique_ptr<char[]>> Blocks;
};

} // namespace kdiff::tool
#endif // KDIFF_TEST_TOOL_HOSTDEVICE_H
