; The adjoint of an element goes to that element, of a permuted vector back to
; where each element came from; twice where it was used twice.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: insertelement <2 x float> splat (float -0.000000e+00), float %{{.*}}, i32 %n
; CHECK: %[[A:.*]] = extractelement <4 x float> %{{.*}}, i64 0
; CHECK: fadd float {{.*}}%[[A]]
; CHECK: %[[B:.*]] = extractelement <4 x float> %{{.*}}, i64 3
; CHECK: fadd float {{.*}}%[[B]]
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load <2 x float>, ptr %x
  %w = shufflevector <2 x float> %v, <2 x float> zeroinitializer, <4 x i32> <i32 1, i32 2, i32 2, i32 1>
  store <4 x float> %w, ptr %y
  %e = extractelement <2 x float> %v, i32 %n
  %q = getelementptr float, ptr %y, i32 8
  store float %e, ptr %q
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
