//===- ExhaustionTest.cpp - Barriers and a tape that is too small ---------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does a block whose threads wait for each other
// end, and say what it lacked, where only some of them found room on the tape?
//
//===----------------------------------------------------------------------===//

#include "Analyses.h"
#include "KDiffPass.h"
#include "kdiff/TapeLayout.h"
#include "simt/Executor.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"
#include <algorithm>
#include <cstring>

using namespace llvm;
using namespace kdiff;

namespace {

/// Squares a number a thread twice, in place, with a barrier before each store.
constexpr const char *Source = R"(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__kd_autodiff(...)
define ptx_kernel void @f(ptr %x, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %x, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %v = load float, ptr %p
  %square = fmul float %v, %v
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store float %square, ptr %p
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
define ptx_kernel void @gradient(ptr %x, ptr %dx, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, i32 %n)
  ret void
}
)";

constexpr unsigned Threads = 64;

class ExhaustionTest : public testing::Test {
protected:
  void SetUp() override {
    SMDiagnostic Failure;
    std::unique_ptr<Module> M = parseAssemblyString(Source, Failure, C);
    ASSERT_TRUE(M) << Failure.getMessage().str();
    Analyses A;
    KDiffPass().run(*M, A.MAM);
    auto Created = simt::Device::create(*M);
    ASSERT_TRUE(bool(Created)) << toString(Created.takeError());
    D = std::move(*Created);
    X = static_cast<float *>(D->allocate(Threads * sizeof(float), "x"));
    DX = static_cast<float *>(D->allocate(Threads * sizeof(float), "dx"));
    std::fill_n(X, Threads, 2.0f);
    std::fill_n(DX, Threads, 1.0f);
  }

  void launch(unsigned Pages) {
    uint64_t Bytes = tapePoolBytes(Threads / TapeLanes, Pages);
    Pool = static_cast<PoolHeader *>(D->allocate(Bytes, "tape"));
    ASSERT_TRUE(
        initTapePool(Pool, Bytes, Threads / TapeLanes, TapeNoteExhaustion));
    std::memset(reinterpret_cast<char *>(Pool) + Pool->RootsOffset, 0,
                Pool->DumpOffset - Pool->RootsOffset);
    *static_cast<PoolHeader **>(D->symbol("__kd_tape_pool")) = Pool;
    unsigned N = 2;
    void *Args[] = {&X, &DX, &N};
    std::string Printed;
    Error E = D->launch("gradient", {1}, {Threads}, 0, Args, {}, &Printed);
    EXPECT_FALSE(bool(E)) << toString(std::move(E));
  }

  LLVMContext C;
  std::unique_ptr<simt::Device> D;
  PoolHeader *Pool = nullptr;
  float *X = nullptr, *DX = nullptr;
};

TEST_F(ExhaustionTest, WithRoomForAllTheBlockRunsBack) {
  launch(2);
  EXPECT_EQ(Pool->FailedThreads, 0u);
  for (unsigned I = 0; I != Threads; ++I)
    EXPECT_EQ(DX[I], 32.0f) << I; // 4 x^3
}

TEST_F(ExhaustionTest, WithRoomForOneWarpNoThreadOfTheBlockRunsBack) {
  launch(1);
  EXPECT_EQ(Pool->FailedThreads, TapeLanes);
  for (unsigned I = 0; I != Threads; ++I) {
    EXPECT_EQ(X[I], 16.0f) << I; // The primal is as ever.
    EXPECT_EQ(DX[I], 1.0f) << I;
  }
}

} // namespace
