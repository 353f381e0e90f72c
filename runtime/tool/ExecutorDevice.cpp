//===- ExecutorDevice.cpp - The SIMT executor as a device -----------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do cases and checks run without a card?
//
// The executor's global memory is the process's own, so addresses are
// pointers and copies are plain copies.
//
//===----------------------------------------------------------------------===//

#include "ExecutorDevice.h"
#include <cstring>

using namespace llvm;

namespace kdiff::tool {

Expected<std::unique_ptr<ExecutorDevice>>
ExecutorDevice::create(const Module &M, StringRef Libdevice) {
  auto D = simt::Device::create(M, Libdevice);
  if (!D)
    return D.takeError();
  return std::unique_ptr<ExecutorDevice>(new ExecutorDevice(std::move(*D)));
}

Expected<Address> ExecutorDevice::allocate(size_t Bytes, StringRef Name) {
  return reinterpret_cast<Address>(D->allocate(Bytes, Name));
}

Error ExecutorDevice::write(Address To, StringRef Bytes) {
  std::memcpy(reinterpret_cast<void *>(To), Bytes.data(), Bytes.size());
  return Error::success();
}

Expected<std::string> ExecutorDevice::read(Address From, size_t Bytes) {
  return std::string(reinterpret_cast<const char *>(From), Bytes);
}

Error ExecutorDevice::fill(Address At, size_t Bytes, uint8_t Value) {
  std::memset(reinterpret_cast<void *>(At), Value, Bytes);
  return Error::success();
}

Symbol ExecutorDevice::symbol(StringRef Name) {
  Symbol S;
  S.Where = reinterpret_cast<Address>(D->symbol(Name, &S.Bytes));
  return S;
}

Error ExecutorDevice::launch(StringRef Kernel, const Dim3 &Grid,
                             const Dim3 &Block, size_t DynamicShared,
                             ArrayRef<void *> Args, std::string &Printed) {
  return D->launch(Kernel, {Grid.X, Grid.Y, Grid.Z},
                   {Block.X, Block.Y, Block.Z}, DynamicShared, Args, {},
                   &Printed);
}

} // namespace kdiff::tool
