; The forward sweep pushes what a segment starts from; the reverse sweep runs
; the segment again, keeping the state of every iteration, then goes back
; through it.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: %segment.s = alloca [8 x float]
; CHECK: {{^}}loop:
; CHECK: %[[IN:.*]] = and i32 %count, 7
; CHECK: %[[DUE:.*]] = icmp eq i32 %[[IN]], 0
; CHECK: br i1 %[[DUE]]
; CHECK: call ptr addrspace(1) @kd.tape.push(ptr %tape, i32 8)
; CHECK: {{^}}rev.checkpoint.loop:
; CHECK: call ptr addrspace(1) @kd.tape.pop(ptr %tape, i32 8)
; CHECK: {{^}}rev.replay.loop:
; CHECK: %[[AT:.*]] = phi i32 [ 0, %rev.checkpoint.loop ], [ %{{.*}}, %rev.again.loop ]
; CHECK: getelementptr inbounds [8 x float], ptr %segment.s, i32 0, i32 %[[AT]]
; CHECK: icmp eq i32 %[[AT]], 7
; CHECK: br i1 %{{.*}}, label %rev.loop.loop, label %rev.again.loop
; CHECK: {{^}}rev.again.loop:
; CHECK: call float @llvm.sin.f32
; CHECK: br label %rev.replay.loop
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  %one = call float @llvm.sin.f32(float %s)
  %two = call float @llvm.sin.f32(float %one)
  %sine = call float @llvm.sin.f32(float %two)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}
declare float @llvm.sin.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
