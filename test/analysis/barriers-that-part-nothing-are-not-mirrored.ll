; A barrier of the block has no mirror where the reverse sweep touches nothing
; behind it, up to the next one, that another thread might have to wait for.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x float] undef

; Adjoints are only added to %x, and a seed is only read.
; CHECK-LABEL: activity of kdiff.grad.commuting:
; CHECK: not mirrored  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
; CHECK: not mirrored  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 2)
define ptx_kernel void @commuting(ptr noalias %x, ptr noalias %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %px
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  %w = load float, ptr %x
  %vw = fmul float %v, %w
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 2)
  %py = getelementptr float, ptr %y, i32 %t
  store float %vw, ptr %py
  ret void
}

; What is behind barrier 2 in the sweep is done at barrier 1, which is kept.
; CHECK-LABEL: activity of kdiff.grad.shared:
; CHECK-NOT: not mirrored{{.*}}(i32 1)
; CHECK: not mirrored  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 2)
; CHECK-NOT: not mirrored
; CHECK-LABEL: activity of kdiff.grad.in_place:
define ptx_kernel void @shared(ptr noalias %x, ptr noalias %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %px
  %own = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float %v, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 2)
  %w = load float, ptr addrspace(3) @tile
  %vw = fmul float %v, %w
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 3)
  %py = getelementptr float, ptr %y, i32 %t
  store float %vw, ptr %py
  ret void
}

; Threads read what others write; the barrier in front of everything is kept
; where the threads may go on behind the derivative.
; CHECK-NOT: not mirrored{{.*}}(i32 2)
; CHECK: not mirrored  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
; CHECK-NOT: not mirrored
; CHECK-LABEL: activity of kdiff.grad.helper:
define ptx_kernel void @in_place(ptr noalias %x, ptr noalias %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  %px = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %px
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 2)
  %v2 = fmul float %v, %v
  store float %v2, ptr %x
  ret void
}

; CHECK-NOT: not mirrored
define void @helper(ptr noalias %x, ptr noalias %y) {
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  %v = load float, ptr %x
  %v2 = fmul float %v, %v
  store float %v2, ptr %y
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__kd_autodiff(...)
define ptx_kernel void @request1(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @commuting, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy)
  ret void
}
define ptx_kernel void @request2(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @shared, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
define ptx_kernel void @request3(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @in_place, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
define void @request4(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @helper, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
