; A pointer read from memory with a shadow leads to memory with a shadow; one
; read from kd_const memory does not.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: activity of kdiff.grad.f:
; CHECK: shadowed %row = load ptr, ptr
; CHECK: active %v = load float, ptr %row
; CHECK-NOT: {{active|shadowed}}
define ptx_kernel void @f(ptr %rows, ptr %y, ptr %others) {
  %row = load ptr, ptr %rows
  %v = load float, ptr %row
  %other = load ptr, ptr %others
  %w = load float, ptr %other
  %sum = fsub float %w, 1.0
  store float %v, ptr %y
  %q = getelementptr float, ptr %y, i32 1
  store float %sum, ptr %q
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %o) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %o)
  ret void
}
