; Branches are bits, eight to a byte; integers take what their values need.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: record of %loop: 8 bytes
; CHECK-NEXT: +0 2 %masked
; CHECK-NEXT: +2 1 %first bit 0
; CHECK-NEXT: +2 1 %second bit 1
; CHECK-NOT: +
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %zi = getelementptr i32, ptr %z, i32 %i
  %number = load volatile i32, ptr %zi
  %masked = and i32 %number, 1023
  %q = getelementptr float, ptr %x, i32 %masked
  %u = load float, ptr %q
  %b = load volatile float, ptr %z
  %first = fcmp ogt float %b, 0.0
  %second = fcmp olt float %b, 1.0
  %a1 = select i1 %first, float %u, float 0.0
  %a2 = select i1 %second, float %a1, float 1.0
  %o = getelementptr float, ptr %y, i32 %i
  store float %a2, ptr %o
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
