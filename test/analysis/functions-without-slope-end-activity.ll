; floor has derivative zero wherever it has one: nothing behind it is active,
; and nothing in front that reaches an output through it alone.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: activity of kdiff.grad.f:
; CHECK-NEXT: active argument ptr %x
; CHECK-NEXT: active argument ptr %y
; CHECK-NOT: active
define ptx_kernel void @f(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %sq = fmul float %v, %v
  %floor = call float @llvm.floor.f32(float %sq)
  store float %floor, ptr %y
  ret void
}
declare float @llvm.floor.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
