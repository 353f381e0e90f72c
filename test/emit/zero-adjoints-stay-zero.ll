; The slope of a square root is infinite at 0. An adjoint that is exactly zero,
; as behind an untaken select, must not become 0 * inf.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: %[[SLOPE:.*]] = fdiv float 5.000000e-01, %{{.*}}
; CHECK: %[[NONE:.*]] = fcmp oeq float %[[ADJ:.*]], 0.000000e+00
; CHECK: %[[SAFE:.*]] = select i1 %[[NONE]], float 0.000000e+00, float %[[SLOPE]]
; CHECK: fmul float %[[ADJ]], %[[SAFE]]
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %root = call float @llvm.sqrt.f32(float %v)
  store float %root, ptr %y
  ret void
}
declare float @llvm.sqrt.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
