; A loop that only searches an index has no reverse and needs no trip count;
; the loop behind it has one.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK-NOT: {{^}}rev.loop.search
; CHECK: {{^}}rev.loop.loop:
; CHECK-NOT: {{^}}rev.loop.search
; CHECK: {{^}}declare
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
start:
  br label %search
search:
  %k = phi i32 [ 0, %start ], [ %k.next, %search ]
  %k.next = add nsw i32 %k, 1
  %pz = getelementptr i32, ptr %z, i32 %k
  %key = load i32, ptr %pz
  %found = icmp eq i32 %key, 42
  br i1 %found, label %entry, label %search
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %r = fmul float %v, 3.0
  %o = getelementptr float, ptr %y, i32 %k
  store float %r, ptr %o
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
