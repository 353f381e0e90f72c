; y = x: the reverse reads the shadow of y and clears it (the value is zero
; whatever was read), then adds what it read to the shadow of x. A store of a
; constant clears as well.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: %d.q = getelementptr float, ptr addrspace(1) %d.y.global, i32 1
; CHECK: {{^}}rev.{{.*}}:
; CHECK: store float 0.000000e+00, ptr addrspace(1) %d.q
; CHECK: %[[ADJ:.*]] = load float, ptr addrspace(1) %d.y.global
; CHECK: %[[SUM:.*]] = fadd float -0.000000e+00, %[[ADJ]]
; CHECK: %[[LOW:.*]] = call float @llvm.minnum.f32(float %[[ADJ]], float 0.000000e+00)
; CHECK: %[[ZERO:.*]] = call float @llvm.maxnum.f32(float %[[LOW]], float -0.000000e+00)
; CHECK: store float %[[ZERO]], ptr addrspace(1) %d.y.global
; CHECK: call void @kd.accumulate.f32.p1(ptr addrspace(1) %d.x.global, float %[[SUM]],
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  store float %v, ptr %y
  %q = getelementptr float, ptr %y, i32 1
  store float 3.0, ptr %q
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
