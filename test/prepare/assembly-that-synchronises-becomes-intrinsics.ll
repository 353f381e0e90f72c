; Barriers and fences in inline assembly are those that the sweeps know, also where
; the assembly does not say that it touches memory.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @f.kdiff(
; CHECK-NOT: asm
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 %n)
; CHECK: call void @llvm.nvvm.barrier.cta.sync.all(i32 3)
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 4, i32 64)
; CHECK: call void @llvm.nvvm.bar.warp.sync(i32 -1)
; CHECK: call void @llvm.nvvm.membar.gl()
; CHECK: fence syncscope("block") acq_rel
; CHECK: fence seq_cst
; CHECK-NOT: asm
; CHECK: ret void
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  call void asm sideeffect "bar.sync 0;", ""()
  call void asm sideeffect "bar.sync $0, $1;", "r,r,~{memory}"(i32 1, i32 %n)
  call void asm sideeffect "barrier.sync 3;", "~{memory}"()
  call void asm sideeffect "{\0A\09barrier.cta.sync.aligned 4, 64;\0A}", "~{memory}"()
  call void asm sideeffect "bar.warp.sync 0xffffffff;", ""()
  call void asm sideeffect "membar.gl;", "~{memory}"()
  call void asm sideeffect "fence.acq_rel.cta;", "~{memory}"()
  call void asm sideeffect "fence.sc.sys;", "~{memory}"()
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
