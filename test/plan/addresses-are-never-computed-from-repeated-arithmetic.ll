; A number that an address depends on is not computed again with floating-point
; arithmetic, which the optimiser may contract differently the second time; the
; same number is computed again where a derivative alone needs it.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: recompute: %half = fmul float %v, 5.000000e-01
; CHECK-DAG: tape: %scaled = fmul float %v, 7.000000e+00 ; control flow or an address depends on it exactly
; CHECK-NOT: +{{.*}} %half
define ptx_kernel void @f(ptr noalias readonly %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %half = fmul float %v, 0.5
  %sq = fmul float %half, %half
  %scaled = fmul float %v, 7.0
  %index = fptosi float %scaled to i32
  %o = getelementptr float, ptr %y, i32 %index
  store float %sq, ptr %o
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
