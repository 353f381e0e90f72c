//===- ClassifyTest.cpp - What a call is ----------------------------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: does each kind of call get its class?
//
//===----------------------------------------------------------------------===//
#include "Specimen.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Instructions.h"
#include "llvm/Support/SourceMgr.h"
#include "gtest/gtest.h"

using namespace llvm;
using namespace kdiff;
using namespace kdiff::test;

namespace {

struct Example {
  CallClass Class;
  const char *Call; ///< The instruction, and what it needs declared.
  const char *Declaration;
};

const Example Examples[] = {
    {CallClass::Rule, "%r = call double @__nv_sin(double 1.0)",
     "declare double @__nv_sin(double)"},
    {CallClass::Rule,
     "%r = call float @llvm.nvvm.add.rz.ftz.f(float 1.0, "
     "float 1.0)",
     "declare float @llvm.nvvm.add.rz.ftz.f(float, float)"},
    {CallClass::OutPointer,
     "call void @__nv_sincosf(float 1.0, ptr null, ptr null)",
     "declare void @__nv_sincosf(float, ptr, ptr)"},
    {CallClass::Pure, "%r = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()",
     "declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()"},
    {CallClass::Pure, "%r = call i32 @llvm.nvvm.read.ptx.sreg.warpsize()",
     "declare i32 @llvm.nvvm.read.ptx.sreg.warpsize()"},
    {CallClass::Pure, "%r = call i32 @llvm.ctpop.i32(i32 1)",
     "declare i32 @llvm.ctpop.i32(i32)"},
    {CallClass::Pure, "%r = call i32 @__nv_isnanf(float 1.0)",
     "declare i32 @__nv_isnanf(float)"},
    {CallClass::Pure, "%r = call i32 @llvm.nvvm.d2i.rz(double 1.0)",
     "declare i32 @llvm.nvvm.d2i.rz(double)"},
    {CallClass::Pure, "%r = call i1 @llvm.nvvm.isspacep.shared(ptr null)",
     "declare i1 @llvm.nvvm.isspacep.shared(ptr)"},
    {CallClass::Pure, "%r = call i1 @llvm.is.fpclass.f32(float 1.0, i32 3)",
     "declare i1 @llvm.is.fpclass.f32(float, i32 immarg)"},
    {CallClass::Inactive, "%r = call i64 @llvm.nvvm.read.ptx.sreg.clock64()",
     "declare i64 @llvm.nvvm.read.ptx.sreg.clock64()"},
    {CallClass::Inactive, "%r = call i32 @llvm.nvvm.read.ptx.sreg.smid()",
     "declare i32 @llvm.nvvm.read.ptx.sreg.smid()"},
    {CallClass::Inactive, "%r = call i32 @vprintf(ptr null, ptr null)",
     "declare i32 @vprintf(ptr, ptr)"},
    {CallClass::Inactive, "call void @llvm.trap()",
     "declare void @llvm.trap()"},
    {CallClass::Inactive, "call void @llvm.nvvm.nanosleep(i32 1)",
     "declare void @llvm.nvvm.nanosleep(i32)"},
    {CallClass::Ignorable, "call void @llvm.assume(i1 true)",
     "declare void @llvm.assume(i1)"},
    {CallClass::Allocation, "%r = call ptr @malloc(i64 8)",
     "declare ptr @malloc(i64)"},
    {CallClass::Atomic,
     "%r = call float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr null, "
     "float 1.0)",
     "declare float @llvm.nvvm.atomic.add.gen.f.cta.f32.p0(ptr, float)"},
    {CallClass::Barrier,
     "call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)",
     "declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)"},
    {CallClass::Barrier,
     "call void @llvm.nvvm.barrier.cta.sync.count(i32 0, i32 64)",
     "declare void @llvm.nvvm.barrier.cta.sync.count(i32, i32)"},
    {CallClass::Barrier,
     "%r = call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0, "
     "i1 true)",
     "declare i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32, i1)"},
    {CallClass::Barrier, "call void @llvm.nvvm.barrier0()",
     "declare void @llvm.nvvm.barrier0()"},
    {CallClass::Barrier, "call void @llvm.nvvm.bar.warp.sync(i32 -1)",
     "declare void @llvm.nvvm.bar.warp.sync(i32)"},
    {CallClass::Fence, "call void @llvm.nvvm.membar.gl()",
     "declare void @llvm.nvvm.membar.gl()"},
    {CallClass::Fence, "call void @llvm.nvvm.fence.sc.cluster()",
     "declare void @llvm.nvvm.fence.sc.cluster()"},
    {CallClass::Warp,
     "%r = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float 1.0, i32 1, "
     "i32 31)",
     "declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)"},
    {CallClass::Warp,
     "%r = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 true)",
     "declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)"},
    {CallClass::Warp, "%r = call i32 @llvm.nvvm.activemask()",
     "declare i32 @llvm.nvvm.activemask()"},
    {CallClass::Warp,
     "%r = call float @llvm.nvvm.redux.sync.fmax(float 1.0, "
     "i32 -1)",
     "declare float @llvm.nvvm.redux.sync.fmax(float, i32)"},
    {CallClass::Memory,
     "call void @llvm.memset.p0.i64(ptr null, i8 0, i64 8, i1 false)",
     "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1 immarg)"},
    {CallClass::LoadLike,
     "%r = call float @llvm.nvvm.ldu.global.f.f32.p1(ptr addrspace(1) null, "
     "i32 4)",
     "declare float @llvm.nvvm.ldu.global.f.f32.p1(ptr addrspace(1), i32)"},
    {CallClass::Rule,
     "%r = call half asm \"fma.rn.f16 $0, $1, $2, $3;\", \"=h,h,h,h\""
     "(half 1.0, half 1.0, half 1.0) memory(none)",
     ""},
    // Another form, a store elsewhere, bits instead of numbers, no row.
    {CallClass::Asm,
     "%r = call half asm \"fma.rn.f16 $0, $2, $1, $3;\", \"=h,h,h,h\""
     "(half 1.0, half 1.0, half 1.0) memory(none)",
     ""},
    {CallClass::Asm,
     "%r = call half asm \"fma.rn.f16 $0, $1, $2, $3;\", \"=h,h,h,h\""
     "(half 1.0, half 1.0, half 1.0)",
     ""},
    {CallClass::Asm,
     "%r = call i16 asm \"fma.rn.f16 $0, $1, $2, $3;\", \"=h,h,h,h\""
     "(i16 1, i16 1, i16 1) memory(none)",
     ""},
    {CallClass::Asm,
     "%r = call float asm \"copysign.f32 $0, $1, $2;\", \"=f,f,f\""
     "(float 1.0, float 1.0) memory(none)",
     ""},
    {CallClass::Rule,
     "%r = call double @kd.attach.f64.f32(double 1.0, float 1.0, double 1.0)",
     "declare double @kd.attach.f64.f32(double, float, double)"},
    {CallClass::Inactive,
     "%r = call double @__nv_norm(i32 3, ptr null) \"kdiff-primal-only\"",
     "declare double @__nv_norm(i32, ptr)"},
    {CallClass::Asm, "call void asm sideeffect \"bar.sync 1;\", \"\"()", ""},
    {CallClass::Texture,
     "%r = call { float, float, float, float } "
     "@llvm.nvvm.tex.unified.1d.v4f32.s32(i64 0, i32 0)",
     "declare { float, float, float, float } "
     "@llvm.nvvm.tex.unified.1d.v4f32.s32(i64, i32)"},
    {CallClass::Bits, "%r = call i32 @llvm.nvvm.d2i.hi(double 1.0)",
     "declare i32 @llvm.nvvm.d2i.hi(double)"},
    {CallClass::Bits, "%r = call i32 @__nv_float_as_int(float 1.0)",
     "declare i32 @__nv_float_as_int(float)"},
    {CallClass::Bits, "%r = call float @llvm.convert.from.fp16.f32(i16 1)",
     "declare float @llvm.convert.from.fp16.f32(i16)"},
    {CallClass::Exit, "call void @llvm.nvvm.exit()",
     "declare void @llvm.nvvm.exit()"},
    {CallClass::Defined, "call void @body()",
     "define void @body() {\n  ret void\n}"},
    {CallClass::Indirect, "call void %f()", ""},
    {CallClass::Unknown, "call void @nobody(ptr null)",
     "declare void @nobody(ptr)"},
    {CallClass::Unknown, "%r = call double @__nv_norm(i32 3, ptr null)",
     "declare double @__nv_norm(i32, ptr)"},
    {CallClass::Unknown,
     "%r = call double @llvm.vector.reduce.fadd.v2f64(double 0.0, "
     "<2 x double> zeroinitializer)",
     "declare double @llvm.vector.reduce.fadd.v2f64(double, <2 x double>)"},
};

class EveryCall : public testing::TestWithParam<Example> {};

TEST_P(EveryCall, HasItsClass) {
  const Example &E = GetParam();
  LLVMContext C;
  SMDiagnostic Error;
  std::unique_ptr<Module> M = parseAssemblyString(
      (E.Declaration + std::string("\ndefine void @caller(ptr %f) {\n  ") +
       E.Call + "\n  ret void\n}\n"),
      Error, C);
  ASSERT_TRUE(M) << Error.getMessage().str() << "\n" << E.Call;
  auto &CB = cast<CallBase>(M->getFunction("caller")->getEntryBlock().front());
  EXPECT_EQ(classify(CB), E.Class) << E.Call;
}

INSTANTIATE_TEST_SUITE_P(Calls, EveryCall, testing::ValuesIn(Examples));

TEST(BitCopies, AreDeclaredBitcasts) {
  LLVMContext C;
  Module M("m", C);
  auto *Ty =
      FunctionType::get(Type::getInt32Ty(C), {Type::getFloatTy(C)}, false);
  auto Declare = [&](const char *Name) {
    return Function::Create(Ty, Function::ExternalLinkage, Name, M);
  };
  EXPECT_TRUE(isBitCopy(*callOf(*Declare("__nv_float_as_int"), M)));
  EXPECT_FALSE(isBitCopy(*callOf(*Declare("__nv_float2int_rz"), M)));
}

} // namespace
