; A GEP of a pointer with a shadow is repeated on the shadow, without the
; promise to stay within one object: a shadow may be null.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(ptr %x, ptr %d.x,
; CHECK: %d.x.global = addrspacecast ptr %d.x to ptr addrspace(1)
; CHECK: %p = getelementptr inbounds float, ptr addrspace(1) %x.global, i32 %n
; CHECK-NEXT: %d.p = getelementptr float, ptr addrspace(1) %d.x.global, i32 %n
; CHECK-NOT: %d.q
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %p = getelementptr inbounds float, ptr %x, i32 %n
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %z, i32 %n
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
