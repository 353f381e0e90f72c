; What is read from kd_const memory, and numbers that are const, have no
; derivative; what depends on both kinds has one.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: activity of kdiff.grad.f:
; CHECK-NEXT: active argument ptr %x
; CHECK-NEXT: active argument ptr %y
; CHECK-NEXT: active %v = load float, ptr addrspace(1) %x.global
; CHECK-NEXT: active %sum = fadd float %v, %scaled
; CHECK-NOT: {{active|shadowed}}
define ptx_kernel void @f(ptr %x, ptr %y, ptr %c, float %a) {
  %v = load float, ptr %x
  %w = load float, ptr %c
  %scaled = fmul float %w, %a
  %sum = fadd float %v, %scaled
  store float %sum, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %c) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %c, metadata !"kd_const", float 2.0)
  ret void
}
