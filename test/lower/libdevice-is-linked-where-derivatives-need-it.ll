; Functions of libdevice that are only declared are linked, as internal ones of
; the module's target; intrinsics that NVPTX cannot select become calls.
; RUN: env KDIFF_LIBDEVICE=%libdevice %opt -passes=kdiff-lower -S %s | FileCheck %s
; RUN: env KDIFF_LIBDEVICE=%libdevice %opt -passes=kdiff-lower -S %s | %llc -mcpu=sm_90 -o %t.ptx
; RUN: %ptxas -arch=sm_90 %t.ptx -o %t.cubin

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: call double @__nv_cos(double
; CHECK: call double @__nv_sin(double
; CHECK: call {{.*}}float @llvm.cos.f32(
; CHECK: call {{.*}}float @__nv_sinf(float
; CHECK: call {{.*}}float @__nv_powf(float
; CHECK: call {{.*}}float @__nv_powf(float
; CHECK: call {{.*}}float @__nv_expf(float
; CHECK: fptrunc float {{.*}} to half
; CHECK-DAG: define internal double @__nv_cos(double {{.*}} [[ATTR:#[0-9]+]]
; CHECK-DAG: define internal float @__nv_expf(
; CHECK-DAG: attributes [[ATTR]] = {{.*}}"target-cpu"="sm_90"
; Clang's pipeline has resolved reflection before it calls a plugin.
; CHECK-NOT: c"__CUDA_FTZ\00", align 1{{$}}
; CHECK-NOT: !nvvmir.version
define ptx_kernel void @k(ptr addrspace(1) %d, double %x, float %y, <2 x float> %z, half %h) #0 {
  %c = call double @__nv_cos(double %x)
  %s = call double @llvm.sin.f64(double %x)
  %a = call afn float @llvm.cos.f32(float %y)
  %b = call float @llvm.sin.f32(float %y)
  %v = call <2 x float> @llvm.pow.v2f32(<2 x float> %z, <2 x float> %z)
  %e = call half @llvm.exp.f16(half %h)
  %g = fadd double %c, %s
  store double %g, ptr addrspace(1) %d
  %p1 = getelementptr i8, ptr addrspace(1) %d, i64 8
  store float %a, ptr addrspace(1) %p1
  %p2 = getelementptr i8, ptr addrspace(1) %d, i64 12
  store float %b, ptr addrspace(1) %p2
  %p3 = getelementptr i8, ptr addrspace(1) %d, i64 16
  store <2 x float> %v, ptr addrspace(1) %p3
  %p4 = getelementptr i8, ptr addrspace(1) %d, i64 24
  store half %e, ptr addrspace(1) %p4
  call void @kd.accumulate.f64.p1(ptr addrspace(1) %d, double %g, i32 2)
  ret void
}

declare double @__nv_cos(double)
declare double @llvm.sin.f64(double)
declare float @llvm.cos.f32(float)
declare float @llvm.sin.f32(float)
declare <2 x float> @llvm.pow.v2f32(<2 x float>, <2 x float>)
declare half @llvm.exp.f16(half)
declare void @kd.accumulate.f64.p1(ptr addrspace(1), double, i32)

attributes #0 = { "target-cpu"="sm_90" }
