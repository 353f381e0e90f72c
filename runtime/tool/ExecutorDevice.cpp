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
ExecutorDevice::create(const Module &M, StringRef Libdevice,
                       const ExecutorOptions &Options) {
  auto D = simt::Device::create(M, Libdevice, {Options.Checks});
  if (!D)
    return D.takeError();
  return std::unique_ptr<ExecutorDevice>(
      new ExecutorDevice(std::move(*D), Options));
}

Error ExecutorDevice::forEachSeed(ArrayRef<std::string> Variables,
                                  function_ref<Error()> Work) {
  if (Options.Seeds.empty())
    return Work();
  std::vector<std::pair<Symbol, std::string>> Before;
  for (const std::string &Name : Variables)
    if (Symbol S = symbol(Name); S.Where)
      Before.emplace_back(S, cantFail(read(S.Where, S.Bytes)));
  Launches.Order = simt::Schedule::Random;
  for (uint64_t Seed : Options.Seeds) {
    Launches.Seed = Seed;
    for (const auto &[S, Bytes] : Before)
      cantFail(write(S.Where, Bytes));
    if (Error E = Work())
      return createStringError("with seed " + Twine(Seed) + ": " +
                               toString(std::move(E)));
  }
  return Error::success();
}

Expected<Address> ExecutorDevice::allocate(size_t Bytes, StringRef Name) {
  void *Where = D->allocate(Bytes, Name);
  D->setDefined(Where, Bytes, false);
  return reinterpret_cast<Address>(Where);
}

Expected<Address> ExecutorDevice::allocateScratch(size_t Bytes,
                                                  StringRef Name) {
  Expected<Address> Where = allocate(Bytes, Name);
  if (Where)
    D->setScratch(reinterpret_cast<void *>(*Where), Bytes);
  return Where;
}

Error ExecutorDevice::write(Address To, StringRef Bytes) {
  std::memcpy(reinterpret_cast<void *>(To), Bytes.data(), Bytes.size());
  D->setDefined(reinterpret_cast<void *>(To), Bytes.size(), true);
  return Error::success();
}

Expected<std::string> ExecutorDevice::read(Address From, size_t Bytes) {
  return std::string(reinterpret_cast<const char *>(From), Bytes);
}

Error ExecutorDevice::fill(Address At, size_t Bytes, uint8_t Value) {
  std::memset(reinterpret_cast<void *>(At), Value, Bytes);
  D->setDefined(reinterpret_cast<void *>(At), Bytes, true);
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
                   {Block.X, Block.Y, Block.Z}, DynamicShared, Args, Launches,
                   &Printed);
}

} // namespace kdiff::tool
