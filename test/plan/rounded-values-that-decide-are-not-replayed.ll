; Control flow depends on the carried value bit by bit, and floating-point
; arithmetic that is repeated may be rounded differently: no replay.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: tape: %s = phi float
; CHECK-NOT: checkpoint
; CHECK: record of %loop: 8 bytes
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %next ]
  %s = phi float [ %v, %entry ], [ %s.new, %next ]
  %sine = call float @llvm.sin.f32(float %s)
  %s.next = fadd float %s, %sine
  %positive = fcmp ogt float %s, 0.0
  %s.new = select i1 %positive, float %s.next, float %sine
  br label %next
next:
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.new, ptr %y
  ret void
}
declare float @llvm.sin.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
