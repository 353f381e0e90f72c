//===----------------------------------------------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a benchmark run without a card?
//
//===----------------------------------------------------------------------===//
#include "harness/Backend.h"
#include "simt/Executor.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <cstring>

using namespace llvm;

namespace kdiff::bench {
namespace {

class SimtBackend final : public Backend {
public:
  explicit SimtBackend(std::unique_ptr<simt::Device> D) : D(std::move(D)) {}

  std::string name() const override { return "SIMT executor"; }
  Expected<void *> allocate(size_t Bytes) override {
    return D->allocate(Bytes, "benchmark");
  }
  void free(void *Pointer) override { D->free(Pointer); }
  Error upload(void *To, const void *From, size_t Bytes) override {
    std::memcpy(To, From, Bytes);
    return Error::success();
  }
  Error download(void *To, const void *From, size_t Bytes) override {
    return upload(To, From, Bytes);
  }
  Error copy(void *To, const void *From, size_t Bytes) override {
    return upload(To, From, Bytes);
  }
  Error zero(void *To, size_t Bytes) override {
    std::memset(To, 0, Bytes);
    return Error::success();
  }
  Error launch(const std::string &Kernel, Extent Grid, Extent Block,
               size_t DynamicShared, ArrayRef<void *> Args) override {
    return D->launch(Kernel, {Grid.X, Grid.Y}, {Block.X, Block.Y},
                     DynamicShared, Args);
  }
  void *symbol(const std::string &Name) override { return D->symbol(Name); }

private:
  std::unique_ptr<simt::Device> D;
};

} // namespace

Expected<std::unique_ptr<Backend>> createSimtBackend(ArrayRef<std::string> IR,
                                                     StringRef Libdevice) {
  LLVMContext Context;
  auto Whole = std::make_unique<Module>("benchmark", Context);
  // The first of two definitions stays: so link from the last to the first.
  for (const std::string &Path : reverse(IR)) {
    SMDiagnostic Problem;
    std::unique_ptr<Module> M = parseIRFile(Path, Problem, Context);
    if (!M) {
      std::string Message;
      raw_string_ostream OS(Message);
      Problem.print(nullptr, OS, /*ShowColors=*/false);
      return createStringError(Message);
    }
    if (Linker::linkModules(*Whole, std::move(M),
                            Linker::Flags::OverrideFromSrc))
      return createStringError("cannot link %s", Path.c_str());
  }
  Expected<std::unique_ptr<simt::Device>> D =
      simt::Device::create(*Whole, Libdevice);
  if (!D)
    return D.takeError();
  return std::make_unique<SimtBackend>(std::move(*D));
}

} // namespace kdiff::bench
