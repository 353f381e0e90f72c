; Where a pointer with a shadow is put, its shadow pointer is put beside it;
; beside one without, null.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: store ptr %x, ptr %slot
; CHECK-NEXT: store ptr %d.x, ptr %d.slot
; CHECK: store ptr %z, ptr %slot2
; CHECK-NEXT: store ptr null, ptr %d.slot2
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %table = alloca [4 x ptr]
  %slot = getelementptr [4 x ptr], ptr %table, i32 0, i32 %n
  store ptr %x, ptr %slot
  %m = load i32, ptr %z
  %slot2 = getelementptr [4 x ptr], ptr %table, i32 0, i32 %m
  store ptr %z, ptr %slot2
  %row = load ptr, ptr %table
  %v = load float, ptr %row
  %r = fmul float %v, %v
  store float %r, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
