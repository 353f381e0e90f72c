//===- LoadTest.cpp - Modules as the pass makes them ----------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does IR run that no compiler of CUDA writes, and
// is what cannot run named?
//
//===----------------------------------------------------------------------===//

#include "Kernels.h"
#include "llvm/IR/IRBuilder.h"
#include <cmath>
#include <gmock/gmock.h>

using namespace kdiff::simt;
using testing::HasSubstr;

namespace {

TEST(Load, DeclaredLibdeviceFunctionsAreLinked) {
  Kernels K(R"(
    declare double @__nv_sin(double)
    declare float @__nv_expf(float)
    define ptx_kernel void @k(ptr %x, ptr %y) {
      %d = load double, ptr %x
      %s = call double @__nv_sin(double %d)
      store double %s, ptr %x
      %f = load float, ptr %y
      %e = call float @__nv_expf(float %f)
      store float %e, ptr %y
      ret void
    })");
  Buffer<double> X = K.copy<double>({1e6});
  Buffer<float> Y = K.copy<float>({-2});
  ASSERT_EQ(K.run("k", {1}, {1}, X, Y), "");
  EXPECT_NEAR(X[0], std::sin(1e6), 1e-15);
  EXPECT_FLOAT_EQ(Y[0], std::exp(-2.f));
}

TEST(Load, FloatingPointAtomicsOfEveryType) {
  Kernels K(R"(
    define ptx_kernel void @k(ptr addrspace(1) %p, ptr %g) {
      atomicrmw fadd ptr addrspace(1) %p, float 1.5 syncscope("device") monotonic
      %d = getelementptr i8, ptr addrspace(1) %p, i64 8
      atomicrmw fadd ptr addrspace(1) %d, double 0.25 syncscope("device") monotonic
      %h = getelementptr i8, ptr addrspace(1) %p, i64 16
      atomicrmw fadd ptr addrspace(1) %h, half 2.0 syncscope("block") monotonic
      %v = getelementptr i8, ptr addrspace(1) %p, i64 20
      atomicrmw fadd ptr addrspace(1) %v, <2 x half> <half 1.0, half -1.0> monotonic
      %b = getelementptr i8, ptr addrspace(1) %p, i64 24
      atomicrmw fadd ptr addrspace(1) %b, bfloat 0.5 seq_cst
      %w = getelementptr i8, ptr addrspace(1) %p, i64 32
      atomicrmw fadd ptr addrspace(1) %w, <4 x float> <float 1.0, float 2.0, float 3.0, float 4.0> monotonic
      %m = getelementptr i8, ptr addrspace(1) %p, i64 48
      atomicrmw fmax ptr addrspace(1) %m, float 3.0 monotonic
      atomicrmw fsub ptr %g, double 1.0 acq_rel
      ret void
    })");
  Buffer<char> P = K.zeros<char>(64);
  Buffer<double> G = K.zeros<double>(1);
  ASSERT_EQ(K.run("k", {2}, {5}, P, G), "");
  auto at = [&]<class T>(size_t Offset, T) {
    return *reinterpret_cast<T *>(P.Data + Offset);
  };
  EXPECT_EQ(at(0, float()), 15);
  EXPECT_EQ(at(8, double()), 2.5);
  EXPECT_EQ(float(at(16, _Float16())), 20);
  EXPECT_EQ(float(at(20, _Float16())), 10);
  EXPECT_EQ(float(at(22, _Float16())), -10);
  EXPECT_EQ(at(24, uint16_t()), 0x40A0); // 5
  for (int I = 0; I < 4; ++I)
    EXPECT_EQ(at(32 + 4 * I, float()), 10 * (I + 1));
  EXPECT_EQ(at(48, float()), 3);
  EXPECT_EQ(G[0], -10);
}

TEST(Load, FunctionsBuiltToFlushDoSo) {
  Kernels K(R"(
    declare float @llvm.fma.f32(float, float, float)
    define ptx_kernel void @flushes(ptr %x) #0 {
      %a = load float, ptr %x
      %m = fmul float %a, 0.5
      %f = call float @llvm.fma.f32(float %a, float 4.0, float 0.0)
      %p = getelementptr float, ptr %x, i64 1
      store float %m, ptr %x
      store float %f, ptr %p
      ret void
    }
    define ptx_kernel void @keeps(ptr %x) {
      %a = load float, ptr %x
      %m = fmul float %a, 0.5
      store float %m, ptr %x
      ret void
    }
    attributes #0 = { "denormal-fp-math-f32"="preserve-sign,preserve-sign" })");
  Buffer<float> X = K.copy<float>({-0x1p-126f, 1});
  ASSERT_EQ(K.run("keeps", {1}, {1}, X), "");
  EXPECT_EQ(X[0], -0x1p-127f);
  X[0] = -0x1p-126f;
  ASSERT_EQ(K.run("flushes", {1}, {1}, X), "");
  EXPECT_EQ(X[0], 0);
  EXPECT_TRUE(std::signbit(X[0]));
  EXPECT_EQ(X[1], -0x1p-124f);
  X[0] = 0x1p-127f;
  ASSERT_EQ(K.run("flushes", {1}, {1}, X), "");
  EXPECT_EQ(X[1], 0);
}

TEST(Load, OldIntrinsicsMinAndMaxOrderZeros) {
  Kernels K(R"(
    declare float @llvm.minnum.f32(float, float)
    declare float @llvm.nvvm.fmax.ftz.nan.xorsign.abs.f(float, float)
    define ptx_kernel void @k(ptr %x) {
      %a = load float, ptr %x
      %p = getelementptr float, ptr %x, i64 1
      %b = load float, ptr %p
      %m = call float @llvm.minnum.f32(float %a, float %b)
      store float %m, ptr %x
      %s = call float @llvm.nvvm.fmax.ftz.nan.xorsign.abs.f(float -3.0, float 2.0)
      store float %s, ptr %p
      ret void
    })");
  Buffer<float> X = K.copy<float>({0.f, -0.f});
  ASSERT_EQ(K.run("k", {1}, {1}, X), "");
  EXPECT_TRUE(std::signbit(X[0]));
  EXPECT_EQ(X[1], -3);
}

constexpr char Unsupported[] = R"(
    @missing = external addrspace(1) global i32
    declare void @undefined()
    declare void @llvm.nvvm.cp.async.mbarrier.arrive(ptr)
    define internal void @callee() {
      call void @undefined()
      call void asm sideeffect "wgmma.fence.sync.aligned;", ""()
      ret void
    }
    define ptx_kernel void @bad(ptr %p) {
      call void @callee()
      call void @llvm.nvvm.cp.async.mbarrier.arrive(ptr %p)
      %v = load i32, ptr addrspace(1) @missing
      store i32 %v, ptr %p
      ret void
    }
    define ptx_kernel void @good(ptr %p) {
      store i32 7, ptr %p
      ret void
    })";

TEST(Load, WhatCannotRunIsNamedWhereAKernelReachesIt) {
  Kernels K(Unsupported);
  Buffer<int> P = K.zeros<int>(2);
  std::string Error = K.run("bad", {1}, {1}, P);
  EXPECT_THAT(Error, HasSubstr("kernel 'bad' cannot run on the CPU"));
  EXPECT_THAT(Error, HasSubstr("function 'undefined'"));
  EXPECT_THAT(Error, HasSubstr("variable 'missing'"));
  EXPECT_THAT(Error, HasSubstr("wgmma.fence.sync.aligned"));
  EXPECT_THAT(Error, HasSubstr("llvm.nvvm.cp.async.mbarrier.arrive"));
  EXPECT_EQ(K.run("good", {1}, {1}, P), "");
  EXPECT_EQ(P[0], 7);
}

TEST(Load, MissingLibdeviceIsAnError) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Diagnostic;
  auto M = llvm::parseIR(llvm::MemoryBufferRef(R"(
      declare double @__nv_sin(double)
      define ptx_kernel void @k(ptr %x) {
        %s = call double @__nv_sin(double 1.0)
        store double %s, ptr %x
        ret void
      })",
                                               "test"),
                         Diagnostic, Context);
  ASSERT_TRUE(M);
  auto Unlinked = Device::create(*M);
  ASSERT_TRUE(bool(Unlinked));
  double X = 0, *P = &X;
  void *Args[] = {&P};
  EXPECT_THAT(llvm::toString((*Unlinked)->launch("k", {1}, {1}, 0, Args)),
              HasSubstr("function '__nv_sin', which is declared but not"));
  auto NoFile = Device::create(*M, "/nonexistent/libdevice.bc");
  ASSERT_FALSE(bool(NoFile));
  EXPECT_THAT(llvm::toString(NoFile.takeError()),
              HasSubstr("cannot read libdevice '/nonexistent/libdevice.bc'"));
}

TEST(Load, AllOfLibdeviceCanRun) {
  llvm::LLVMContext Context;
  llvm::SMDiagnostic Diagnostic;
  auto M = llvm::parseIRFile(LIBDEVICE, Diagnostic, Context);
  ASSERT_TRUE(M);
  std::vector<llvm::Constant *> Functions;
  for (llvm::Function &F : *M)
    if (!F.isDeclaration())
      Functions.push_back(&F);
  ASSERT_GT(Functions.size(), 300u);
  // A kernel that names them all.
  auto *Ptr = llvm::PointerType::get(Context, 0);
  auto *Type = llvm::ArrayType::get(Ptr, Functions.size());
  auto *Table = new llvm::GlobalVariable(
      *M, Type, true, llvm::GlobalValue::InternalLinkage,
      llvm::ConstantArray::get(Type, Functions), "table");
  auto *Kernel = llvm::Function::Create(
      llvm::FunctionType::get(llvm::Type::getVoidTy(Context), {Ptr}, false),
      llvm::GlobalValue::ExternalLinkage, "k", *M);
  Kernel->setCallingConv(llvm::CallingConv::PTX_Kernel);
  llvm::IRBuilder<> B(llvm::BasicBlock::Create(Context, "", Kernel));
  B.CreateStore(Table, Kernel->getArg(0));
  B.CreateRetVoid();
  auto D = Device::create(*M);
  ASSERT_TRUE(bool(D)) << llvm::toString(D.takeError());
  void *Stored = nullptr, *P = &Stored, *Args[] = {&P};
  EXPECT_EQ(llvm::toString((*D)->launch("k", {1}, {1}, 0, Args)), "");
  EXPECT_NE(Stored, nullptr);
}

TEST(Load, UnreachableCodeEndsInAnError) {
  Kernels K("define ptx_kernel void @k() { unreachable }");
  EXPECT_THAT(K.run("k", {1}, {1}), HasSubstr("unreachable"));
}

} // namespace
