; The result counts as an output, without memory.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: activity of kdiff.grad.f:
; CHECK-NEXT: active argument float %a
; CHECK-NEXT: active %sq = fmul float %a, %a
; CHECK-NOT: active
define float @f(float %a) {
  %unused = fadd float %a, 3.0
  %sq = fmul float %a, %a
  ret float %sq
}

declare float @__kd_autodiff(...)
define float @request() {
  %r = call float (...) @__kd_autodiff(ptr @f, float 1.0)
  ret float %r
}
