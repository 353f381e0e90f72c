; An earlier gradient in the same launch may still read the shadow, and the
; first additions come from any thread: a barrier before and one behind.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK-NOT: kd.shared.zero
; CHECK: {{^}}rev.clear:
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NEXT: call void @kd.shared.zero(ptr addrspace(3) @kdiff.shadow.tile, i32 128)
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NEXT: br label %rev
; CHECK-NOT: kd.shared.zero
; CHECK: {{^}}declare
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %n
  store float %v, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 3)
  %w = load float, ptr addrspace(3) @tile
  store float %w, ptr %y
  ret void
}
@tile = internal addrspace(3) global [32 x float] undef
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
