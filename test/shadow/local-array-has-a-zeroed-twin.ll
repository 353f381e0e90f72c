; The shadow of a thread's array is an array of the thread, zeroed at entry,
; and its sums are the thread's own: no atomics. An array of constants has none.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: %d.local = alloca [8 x float], align 16
; CHECK-NOT: %d.constants
; CHECK: call void @llvm.memset.{{.*}}(ptr align 16 %d.local, i8 0, i64 32, i1 false)
; CHECK-NOT: call void @llvm.memset
; CHECK: call void @kd.accumulate.f32.p0({{.*}}, i32 0)
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %local = alloca [8 x float], align 16
  %constants = alloca [8 x float]
  %v = load float, ptr %x
  %p = getelementptr float, ptr %local, i32 %n
  store float %v, ptr %p
  %pc = getelementptr float, ptr %constants, i32 %n
  store float 3.0, ptr %pc
  %m = load i32, ptr %z
  %q = getelementptr float, ptr %local, i32 %m
  %u = load float, ptr %q
  %c = load float, ptr %constants
  %r = fmul float %u, %c
  store float %r, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
