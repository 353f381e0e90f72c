; A pointer that may lead to memory without a shadow: the derivative is left out
; where its shadow is null. Others are not tested.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: %[[IS:.*]] = icmp ne ptr{{.*}} %d.p, null
; CHECK-NEXT: br i1 %[[IS]], label %shadowed, label %after
; CHECK-NOT: icmp ne ptr
; CHECK: {{^}}shadowed:
; CHECK-NEXT: call void @kd.accumulate.f32.{{.*}} %d.p, float
; CHECK-NOT: icmp ne ptr
; CHECK: {{^}}declare
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %c = icmp sgt i32 %n, 3
  %p = select i1 %c, ptr %x, ptr %z
  %v = load float, ptr %p
  store float %v, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
