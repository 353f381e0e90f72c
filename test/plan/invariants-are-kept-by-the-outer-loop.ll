; What an inner loop needs and does not change is kept once by the iteration of
; the outer loop that it belongs to.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: tape: %v = load volatile float
; CHECK-NOT: record of %inner
; CHECK: record of %outer: 8 bytes
; CHECK-NEXT: +0 4 %v
; CHECK-NOT: record of %inner
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %v = load volatile float, ptr %z
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %p = getelementptr float, ptr %x, i32 %j
  %w = load float, ptr %p
  %r = fmul float %v, %w
  %o = getelementptr float, ptr %y, i32 %j
  store float %r, ptr %o
  %j.next = add nsw i32 %j, 1
  %more = icmp slt i32 %j.next, %n
  br i1 %more, label %inner, label %latch
latch:
  %i.next = add nsw i32 %i, 1
  %again = icmp slt i32 %i.next, %n
  br i1 %again, label %outer, label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
