; A break out of two loops: the reverse sweep sets the counters of both, then
; enters the outer one, from there the inner one, from there the block that
; broke; the ordinary exits lead to the latches.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: store i32 %{{.*}}, ptr %rev.count{{[0-9]*}}
; CHECK: store i32 [[K:[12]]], ptr %from
; CHECK: store i32 %{{.*}}, ptr %rev.count{{[0-9]*}}
; CHECK: store i32 [[J:[12]]], ptr %from
; CHECK: br label %rev.loop.outer
; CHECK: {{^}}rev.loop.outer:
; CHECK: switch i32 %{{.*}}, label %rev.{{.*}} [
; CHECK: i32 {{[12]}}, label %rev.loop.inner
; CHECK: {{^}}rev.loop.inner:
; CHECK: switch i32 %{{.*}}, label %rev.inner.latch{{.*}} [
; CHECK: i32 {{[12]}}, label %rev.inner{{$}}
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, ptr noalias %z, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.latch ]
  %p = getelementptr float, ptr %x, i32 %j
  %v = load float, ptr %p
  %sq = fmul float %v, %v
  %q = getelementptr float, ptr %y, i32 %i
  store float %sq, ptr %q
  %big = fcmp ogt float %v, 1.0
  br i1 %big, label %done, label %inner.latch
inner.latch:
  %pz = getelementptr float, ptr %x, i32 %i
  %w = load float, ptr %pz
  %qz = getelementptr float, ptr %y, i32 %j
  store float %w, ptr %qz
  %j.next = add nsw i32 %j, 1
  %more.j = icmp slt i32 %j.next, %n
  br i1 %more.j, label %inner, label %latch
latch:
  %i.next = add nsw i32 %i, 1
  %more.i = icmp slt i32 %i.next, %n
  br i1 %more.i, label %outer, label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
