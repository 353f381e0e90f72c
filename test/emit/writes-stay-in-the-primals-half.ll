; Every write of the primal to dynamic shared memory with a shadow is tested to end
; in front of the first shadow, once, in either mode; reads and static arrays are
; not.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: %d.dynamic = getelementptr i8, ptr addrspace(3) @dynamic
; CHECK: %[[END:.*]] = getelementptr i8, ptr addrspace(3) %p, i32 4
; CHECK: call void @kd.shared.within(ptr addrspace(3) %[[END]], ptr addrspace(3) %d.dynamic)
; CHECK-NEXT: store float %v, ptr addrspace(3) %p
; CHECK-NOT: kd.shared.within
; CHECK: ret void
; CHECK-LABEL: define internal void @kdiff.grad.f{{[0-9]+}}(
; CHECK: %d.dynamic = getelementptr i8, ptr addrspace(3) @dynamic
; CHECK: %[[END:.*]] = getelementptr i8, ptr addrspace(3) %p, i32 4
; CHECK: call void @kd.shared.within(ptr addrspace(3) %[[END]], ptr addrspace(3) %d.dynamic)
; CHECK-NOT: kd.shared.within
; CHECK: ret void
; CHECK-LABEL: define internal void @kdiff.tangent.f(
; CHECK-COUNT-1: call void @kd.shared.within(
; CHECK-NOT: kd.shared.within
; CHECK: ret void
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %p = getelementptr float, ptr addrspace(3) @dynamic, i32 %n
  store float %v, ptr addrspace(3) %p
  store float %v, ptr addrspace(3) @static
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load float, ptr addrspace(3) @dynamic
  %s = load float, ptr addrspace(3) @static
  %r = fmul float %w, %s
  store float %r, ptr %y
  ret void
}
@dynamic = external addrspace(3) global [0 x float], align 16
@static = internal addrspace(3) global float undef
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

declare void @__kd_autodiff(...)
declare void @__kd_fwddiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 2, metadata !"kd_dup", ptr %x, ptr %dx, ptr %z, metadata !"kd_dup", ptr %y, ptr %dy, ptr %z, metadata !"kd_const", ptr %z, i32 7)
  call void (...) @__kd_fwddiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
