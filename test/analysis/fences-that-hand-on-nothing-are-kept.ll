; A fence is no barrier: it stays where it is, and has no reverse. Behind the last
; store, beside a barrier, or before a counter that only tells who cleans up, no
; differentiated value passes by it.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: call void @llvm.nvvm.membar.cta()
; CHECK: call void @llvm.nvvm.membar.gl()
; CHECK: fence syncscope("device") acq_rel
; CHECK: {{^}}rev.clear:
; CHECK-NOT: membar
; CHECK-NOT: fence
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: membar
; CHECK: ret void
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  store float %v, ptr addrspace(3) @tile
  call void @llvm.nvvm.membar.cta()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load float, ptr addrspace(3) @tile
  store float %w, ptr %y
  call void @llvm.nvvm.membar.gl()
  %ticket = atomicrmw add ptr %z, i32 1 monotonic
  %last = icmp eq i32 %ticket, 7
  br i1 %last, label %clean, label %done
clean:
  store i32 0, ptr %z
  br label %done
done:
  fence syncscope("device") acq_rel
  ret void
}
@tile = internal addrspace(3) global float undef
declare void @llvm.nvvm.membar.cta()
declare void @llvm.nvvm.membar.gl()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
