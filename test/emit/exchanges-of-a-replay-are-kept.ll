; What the lanes exchange in a replay is kept for the iteration's reverse, which
; does not exchange it once more: beside the state in the segment's arrays. Only
; the replay, and the run to further snapshots, exchange again.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.together(
; CHECK: %segment.r = alloca [8 x float]
; CHECK: call float @llvm.nvvm.shfl.sync.bfly.f32(
; CHECK: {{^}}rev.loop:
; CHECK-NOT: @llvm.nvvm.shfl
; CHECK: {{^}}rev.replay.loop:
; CHECK: %r{{[0-9]*}} = call float @llvm.nvvm.shfl.sync.bfly.f32(
; CHECK-NEXT: store float %r{{[0-9]*}}, ptr %again.r
; CHECK: getelementptr inbounds [8 x float], ptr %segment.r
; CHECK: br i1 %{{.*}}, label %rev.loop.loop, label %rev.again.loop
; CHECK-NOT: @llvm.nvvm.shfl
; CHECK: {{^}}rev.on.step.loop:
; CHECK: call float @llvm.nvvm.shfl.sync.bfly.f32(
; CHECK-NOT: @llvm.nvvm.shfl
; CHECK: {{^}}declare
define ptx_kernel void @together(ptr %x, ptr %y, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  %double = fmul float %s, 2.0
  %r = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %double, i32 16, i32 31)
  %product = fmul float %s, %r
  %s.next = call float @llvm.sin.f32(float %product)
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

declare float @llvm.sin.f32(float)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @together, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
