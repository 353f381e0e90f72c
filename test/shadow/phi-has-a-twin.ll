; A pointer that a loop moves on has a shadow pointer that moves with it.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: loop:
; CHECK: %d.p = phi ptr addrspace(1) [ %d.x.global, %{{.*}} ], [ %d.p.next, %{{.*}} ]
; CHECK-NEXT: %p = phi ptr addrspace(1) [ %x.global, %{{.*}} ], [ %p.next, %{{.*}} ]
; CHECK: %p.next = getelementptr float, ptr addrspace(1) %p, i64 %step
; CHECK-NEXT: %d.p.next = getelementptr float, ptr addrspace(1) %d.p, i64 %step
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = phi ptr [ %x, %entry ], [ %p.next, %loop ]
  %v = load float, ptr %p
  %r = fmul float %v, %v
  store float %r, ptr %p
  %step = load i64, ptr %z
  %p.next = getelementptr float, ptr %p, i64 %step
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
