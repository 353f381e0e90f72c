; A table of functions in constant memory or in a local array, and a choice
; between functions; a pointer from memory stays an indirect call.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IR

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@table = internal constant [2 x ptr] [ptr @square, ptr @double]

; IR-LABEL: define internal void @fromConstant.kdiff(
; IR: icmp eq ptr {{.*}}, @square
; IR-NOT: call
; IR-DAG: fmul float
; IR-DAG: fadd float
; IR-NOT: call
; IR: ret void
define ptx_kernel void @fromConstant(ptr %x, i32 %k) {
  %p = getelementptr [2 x ptr], ptr @table, i32 0, i32 %k
  %f = load ptr, ptr %p
  %v = load float, ptr %x
  %r = call float %f(float %v)
  store float %r, ptr %x
  ret void
}

; IR-LABEL: define internal void @fromLocal.kdiff(
; IR: icmp eq ptr
; IR-NOT: call
; IR: ret void
define ptx_kernel void @fromLocal(ptr %x, i32 %k) {
  %local = alloca [2 x ptr]
  call void @llvm.memcpy.p0.p0.i64(ptr %local, ptr @table, i64 16, i1 false)
  %p = getelementptr [2 x ptr], ptr %local, i32 0, i32 %k
  %f = load ptr, ptr %p
  %v = load float, ptr %x
  %r = call float %f(float %v)
  store float %r, ptr %x
  ret void
}

; IR-LABEL: define internal void @chosen.kdiff(
; IR-NOT: call
; IR: ret void
define ptx_kernel void @chosen(ptr %x, i32 %k) {
  %c = icmp eq i32 %k, 0
  %f = select i1 %c, ptr @square, ptr @double
  %v = load float, ptr %x
  %r = call float %f(float %v)
  store float %r, ptr %x
  ret void
}

; IR-LABEL: define internal void @unknown.kdiff(
; IR: call float %f(
; IR: ret void
define ptx_kernel void @unknown(ptr %x, i32 %k) {
  %f = load ptr, ptr %x
  %v = load float, ptr %x
  %r = call float %f(float %v)
  store float %r, ptr %x
  ret void
}

define float @square(float %x) {
  %r = fmul float %x, %x
  ret float %r
}
define float @double(float %x) {
  %r = fadd float %x, %x
  ret float %r
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @fromConstant, ptr %x, ptr %dx, i32 1)
  call void (...) @__kd_autodiff(ptr @fromLocal, ptr %x, ptr %dx, i32 1)
  call void (...) @__kd_autodiff(ptr @chosen, ptr %x, ptr %dx, i32 1)
  call void (...) @__kd_autodiff(ptr @unknown, metadata !"kd_dup", ptr %x, ptr %dx, i32 1)
  ret void
}
