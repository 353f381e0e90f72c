; sincos(): the shadow of each result is read and cleared, and both add to the
; angle's adjoint.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: load float, ptr {{.*}}
; CHECK: store float 0.000000e+00, ptr {{.*}}
; CHECK: fmul float
; CHECK: load float, ptr {{.*}}
; CHECK: store float 0.000000e+00, ptr {{.*}}
; CHECK: fmul float
; CHECK: call void @kd.accumulate.f32.p1(ptr addrspace(1) %d.x.global
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %q = getelementptr float, ptr %y, i32 1
  call void @__nv_sincosf(float %v, ptr %y, ptr %q)
  ret void
}
declare void @__nv_sincosf(float, ptr, ptr)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
