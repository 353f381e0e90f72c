; *y += v leaves the shadow of y as it is; each thread reads it. Subtraction
; negates.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: %[[S:.*]] = load float, ptr addrspace(1) %d.q
; CHECK: fneg float %[[S]]
; CHECK: %[[A:.*]] = load float, ptr addrspace(1) %d.y.global
; CHECK: fadd float {{.*}}%[[A]]
; CHECK-NOT: store
; CHECK: {{^}}declare
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %old = atomicrmw fadd ptr %y, float %v syncscope("device") monotonic
  %q = getelementptr float, ptr %y, i32 1
  %old2 = atomicrmw fsub ptr %q, float %v syncscope("device") monotonic
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
