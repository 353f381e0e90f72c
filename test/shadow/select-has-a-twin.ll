; The shadow is chosen as the pointer is; where the pointer leads to memory
; without a shadow, the null pointer is.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK-DAG: %d.p = select i1 %c, ptr {{.*}}%d.x{{[^,]*}}, ptr {{.*}}%d.y
; CHECK-DAG: %d.q = select i1 %c, ptr {{.*}}%d.x{{[^,]*}}, ptr {{.*}}null
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %c = icmp eq i32 %n, 3
  %p = select i1 %c, ptr %x, ptr %y
  %v = load float, ptr %p
  %q = select i1 %c, ptr %x, ptr %z
  %w = load float, ptr %q
  %r = fmul float %v, %w
  store float %r, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
