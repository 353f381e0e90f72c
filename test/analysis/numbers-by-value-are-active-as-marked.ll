; kd_out and kd_acc numbers have an adjoint, kd_const ones have none.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: activity of kdiff.grad.f:
; CHECK-NEXT: active argument ptr %y
; CHECK-NEXT: active argument float %a
; CHECK-NEXT: active argument float %b
; CHECK-NEXT: active %ab = fmul float %a, %b
; CHECK-NEXT: active %abc = fmul float %ab, %c
; CHECK-NOT: active
define ptx_kernel void @f(ptr %y, float %a, float %b, float %c) {
  %ab = fmul float %a, %b
  %abc = fmul float %ab, %c
  %cc = fmul float %c, %c
  %sum = fsub float %cc, 1.0
  store float %abc, ptr %y
  %q = getelementptr float, ptr %y, i32 1
  store float %sum, ptr %q
  ret void
}

declare float @__kd_autodiff(...)
define float @request(ptr %y, ptr %dy, ptr %db) {
  %r = call float (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_out", float 1.0, metadata !"kd_acc", float 2.0, ptr %db, metadata !"kd_const", float 2.0)
  ret float %r
}
