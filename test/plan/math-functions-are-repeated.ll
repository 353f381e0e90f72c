; clang marks every function of device code convergent. A function with a rule
; reads its operands alone, so its result is computed again, not taped.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: recompute: %r = call float @__nv_rsqrtf
; CHECK-NOT: tape
define ptx_kernel void @f(ptr noalias readonly %x, ptr noalias %y, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %r = call float @__nv_rsqrtf(float %v) convergent
  %rr = fmul float %r, %r
  %sum.next = fadd float %sum, %rr
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %sum.next, ptr %y
  ret void
}
declare float @__nv_rsqrtf(float) convergent

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  ret void
}
