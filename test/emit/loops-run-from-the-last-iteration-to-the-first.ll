; The reverse loop starts at the number of back edges taken, ends behind 0, and
; takes the adjoint of a carried value from iteration to iteration.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: %[[LAST:.*]] = add nsw i32 %{{.*}}, -1
; CHECK: {{^}}rev.loop:
; CHECK: %[[FIRST:.*]] = icmp eq i32 %[[COUNT:.*]], 0
; CHECK: %[[NEXT:.*]] = sub i32 %[[COUNT]], 1
; CHECK: br i1 %[[FIRST]], label %rev.out.loop, label %rev.back.loop
; CHECK: {{^}}rev.loop.loop:
; CHECK: %[[COUNT]] = phi i32 [ %[[LAST]], %{{.*}} ], [ %[[NEXT]], %rev.back.loop ]
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  %s.next = fmul float %s, 3.0
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
