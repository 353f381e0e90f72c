; A value that becomes active in a later iteration is active in all; an
; accumulator of constants is not, nor is the condition of a branch.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: activity of kdiff.grad.f:
; CHECK-NOT: %k
; CHECK: active %s = phi float
; CHECK-NEXT: active %v = load float
; CHECK-NEXT: active %s.next = fadd float %s, %v
; CHECK-NOT: %more
; CHECK: active %s.next.lcssa = phi float
; CHECK-NOT: active
define ptx_kernel void @f(ptr %x, ptr %y, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %k = phi float [ 0.0, %entry ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %k.next = fadd float %k, 0.5
  %s.next = fadd float %s, %v
  %i.next = add nsw i32 %i, 1
  %more = fcmp olt float %s.next, %k.next
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  ret void
}
