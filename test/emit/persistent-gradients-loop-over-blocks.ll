; A persistent gradient: blocks that do not stay return at once; the others loop
; over their share, with a barrier where shared memory is used; what was kept of
; one block is not carried to the next; sums over all blocks begin in front of
; the loop and are added behind it.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: store float -0.0{{.*}}, ptr %sum.d.x
; CHECK: br i1 %{{.*}}, label %[[BODY:.*]], label %[[NONE:.*]]
; CHECK: [[BODY]]:
; CHECK-NEXT: %[[INDEX:.*]] = phi i32 [ %{{.*}}, %{{.*}} ], [ %[[NEXT:.*]], %[[LATCH:.*]] ]
; CHECK: store float poison, ptr %kept.block,
; CHECK: getelementptr float, ptr addrspace(1) %x.global, i32 %[[INDEX]]
; CHECK: store float %block, ptr %kept.block,
; CHECK: call void (i32, ...) @kd.accumulate.all.f32(i32 3, ptr addrspace(1) %{{.*}}, float
; CHECK-NEXT: br label %[[LATCH]]
; CHECK: {{^}}[[BEHIND:rev.grid]]:
; CHECK: load float, ptr %sum.d.x
; CHECK: call void (i32, ...) @kd.accumulate.all.f32(i32 3, ptr addrspace(1) %{{.*}}, float
; CHECK-NEXT: ret void
; CHECK: {{^}}[[LATCH]]:
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NEXT: %[[NEXT]] = add nuw i32 %[[INDEX]], %staying
; CHECK: br i1 %{{.*}}, label %[[BODY]], label %[[BEHIND]]
; CHECK: {{^}}[[NONE]]:
; CHECK-NEXT: ret void

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %one = load float, ptr %x
  %p.block = getelementptr float, ptr %x, i32 %b
  %block = load float, ptr %p.block
  %r = fmul float %one, %block
  %q = getelementptr float, ptr %y, i32 %t
  store float %r, ptr %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
