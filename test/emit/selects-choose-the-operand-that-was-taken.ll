; The operand that the primal took gets the adjoint, the other the neutral -0.0.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: %[[V:.*]] = select i1 %c, float %[[ADJ:.*]], float -0.000000e+00
; CHECK: %[[W:.*]] = select i1 %c, float -0.000000e+00, float %[[ADJ]]
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %c = icmp sgt i32 %n, 3
  %v = load float, ptr %x
  %p = getelementptr float, ptr %x, i32 1
  %w = load float, ptr %p
  %s = select i1 %c, float %v, float %w
  store float %s, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
