; Integers computed from a number's bits have no derivative, and are told from
; ordinary ones: here they only choose an element.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: activity of kdiff.grad.f:
; CHECK: derived from bits %exponent = and i32
; CHECK-NEXT: active %w = load float
; CHECK-NOT: {{active|derived}}
define ptx_kernel void @f(ptr %x, ptr %y) {
  %v = load float, ptr %y
  %bits = bitcast float %v to i32
  %shifted = lshr i32 %bits, 23
  %exponent = and i32 %shifted, 255
  %p = getelementptr float, ptr %x, i32 %exponent
  %w = load float, ptr %p
  store float %w, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
