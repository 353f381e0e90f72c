; The high word of a 64-bit load of two floats: its adjoint goes to the second
; of them.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: %[[TWO:.*]] = insertelement <2 x float> splat (float -0.000000e+00), float %{{.*}}, i64 1
; CHECK: call void @kd.accumulate.v2f32.p1(ptr addrspace(1) {{.*}}%d.x.global, <2 x float>
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %pair = load i64, ptr %x
  %shifted = lshr i64 %pair, 32
  %high = trunc i64 %shifted to i32
  %v = bitcast i32 %high to float
  store float %v, ptr %y
  %p = getelementptr [2 x float], ptr %x, i32 %n
  store <2 x float> zeroinitializer, ptr %p
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
