; Dynamic shared memory is launched at twice the primal's size: the second half
; is the shadow of the first, and begins at a multiple of 16 bytes.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: %[[TOTAL:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.dynamic_smem_size()
; CHECK: %[[HALF:.*]] = udiv i32 %[[TOTAL]], 2
; CHECK: %[[DOWN:.*]] = and i32 %[[HALF]], -16
; CHECK: %[[WIDE:.*]] = zext i32 %[[DOWN]] to i64
; CHECK: %d.dynamic = getelementptr i8, ptr addrspace(3) @dynamic, i64 %[[WIDE]]
; CHECK: call void @kd.shared.zero({{.*}}, i32 %
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %p = getelementptr float, ptr addrspace(3) @dynamic, i32 %n
  store float %v, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load float, ptr addrspace(3) @dynamic
  store float %w, ptr %y
  ret void
}
@dynamic = external addrspace(3) global [0 x float], align 16
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
