//===- Kernels.h - Test kernels on the executor ----------------*- C++ -*-===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a test run a kernel and look at the
// result?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_TEST_SIMT_KERNELS_H
#define KDIFF_TEST_SIMT_KERNELS_H

#include "simt/Executor.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IRReader/IRReader.h"
#include "llvm/Support/SourceMgr.h"
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace kdiff::simt {

/// Device memory for Count values; passed to a kernel as a pointer.
template <class T> struct Buffer {
  T *Data;
  size_t Count;
  T &operator[](size_t I) const { return Data[I]; }
  T *begin() const { return Data; }
  T *end() const { return Data + Count; }
  std::vector<T> values() const { return {begin(), end()}; }
};

/// A file of kernels, compiled at one optimisation level.
class Kernels {
public:
  Kernels(const std::string &File, const std::string &Level,
          bool Checks = false)
      : Checks(Checks) {
    llvm::SMDiagnostic Diagnostic;
    std::string Path =
        std::string(KERNEL_DIR) + "/" + File + "." + Level + ".bc";
    auto M = llvm::parseIRFile(Path, Diagnostic, Context);
    if (!M) {
      ADD_FAILURE() << Path << ": " << Diagnostic.getMessage().str();
      return;
    }
    load(*M);
  }
  /// Of assembly in the test; not a bool, which a level's name would be too.
  enum class Watch { Nothing, Everything };
  explicit Kernels(llvm::StringRef Assembly, Watch W = Watch::Nothing)
      : Checks(W == Watch::Everything) {
    llvm::SMDiagnostic Diagnostic;
    auto M = llvm::parseIR(llvm::MemoryBufferRef(Assembly, "test"), Diagnostic,
                           Context);
    if (!M) {
      ADD_FAILURE() << Diagnostic.getMessage().str();
      return;
    }
    load(*M);
  }

  /// Loaded once: code generation takes far longer than the kernels.
  static Kernels &cached(const std::string &File, const std::string &Level,
                         bool Checks = false) {
    static std::map<std::tuple<std::string, std::string, bool>,
                    std::unique_ptr<Kernels>>
        Loaded;
    std::unique_ptr<Kernels> &K = Loaded[{File, Level, Checks}];
    if (!K)
      K = std::make_unique<Kernels>(File, Level, Checks);
    K->DynamicShared = 0;
    K->Options = {};
    K->Options.TimeoutSeconds = 60; // A hang is a failure, too.
    K->Printed.clear();
    return *K;
  }

  template <class T>
  Buffer<T> zeros(size_t Count, llvm::StringRef Name = "zeros") {
    Buffer<T> B{static_cast<T *>(Device->allocate(Count * sizeof(T), Name)),
                Count};
    std::fill(B.begin(), B.end(), T());
    return B;
  }
  template <class T>
  Buffer<T> copy(const std::vector<T> &Values, llvm::StringRef Name = "copy") {
    Buffer<T> B = zeros<T>(Values.size(), Name);
    std::copy(Values.begin(), Values.end(), B.begin());
    return B;
  }

  /// The error's text, or "".
  template <class... Ts>
  std::string run(llvm::StringRef Kernel, Dim3 Grid, Dim3 Block,
                  Ts... Arguments) {
    std::vector<void *> Slots{slot(Arguments)...};
    return llvm::toString(Device->launch(Kernel, Grid, Block, DynamicShared,
                                         Slots, Options, &Printed));
  }

  std::unique_ptr<simt::Device> Device;
  size_t DynamicShared = 0;
  LaunchOptions Options;
  std::string Printed;

private:
  llvm::LLVMContext Context;
  bool Checks = false;

  void load(const llvm::Module &M) {
    auto D = simt::Device::create(M, LIBDEVICE, {Checks});
    if (D)
      Device = std::move(*D);
    else
      ADD_FAILURE() << llvm::toString(D.takeError());
  }
  template <class T> static void *slot(T &Value) { return &Value; }
  template <class T> static void *slot(Buffer<T> &B) { return &B.Data; }
};

/// Tests that run at each optimisation level.
class Levels : public testing::TestWithParam<const char *> {
public:
  static std::string name(const testing::TestParamInfo<const char *> &Info) {
    return Info.param;
  }
};

inline auto allLevels() { return testing::Values("O0", "O2", "O3"); }

} // namespace kdiff::simt
#endif // KDIFF_TEST_SIMT_KERNELS_H
