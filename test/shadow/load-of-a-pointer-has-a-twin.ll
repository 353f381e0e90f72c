; Beside a pointer in memory lies, in the shadow, its shadow pointer. What the
; primal's load promises (here: never null) is not promised of it.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: %row = load ptr, ptr addrspace(1) %x.global, align 8, !nonnull
; CHECK-NEXT: %d.row = load ptr, ptr addrspace(1) %d.x.global, align 8{{$}}
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %row = load ptr, ptr %x, !nonnull !{}
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
