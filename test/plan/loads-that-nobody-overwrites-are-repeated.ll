; x is __restrict__ and only read, z is a const __restrict__ marked const: both
; are loaded again. y is written, but only elsewhere than these are read.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: tape
; CHECK-DAG: reload: %v = load float
; CHECK-DAG: reload: %w = load float
; CHECK-NOT: {{tape|record}}
define ptx_kernel void @f(ptr noalias readonly %x, ptr noalias %y, ptr noalias readonly %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %q = getelementptr float, ptr %z, i32 %i
  %w = load float, ptr %q
  %vv = fmul float %v, %v
  %r = fmul float %vv, %w
  %o = getelementptr float, ptr %y, i32 %i
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
