; An index that steps through memory by pure integer arithmetic is replayed
; exactly, and so are the loads that it leads to, in iterations that ran.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: replay: %k = phi i64
; CHECK: loop %loop, checkpoint every 8 iterations, unrolled, 128 snapshots, trip count known
; CHECK-NOT: %low
define ptx_kernel void @f(ptr noalias readonly %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %k = phi i64 [ 1, %entry ], [ %k.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %low = and i64 %k, 1023
  %p = getelementptr float, ptr %x, i64 %low
  %v = load float, ptr %p
  %sine = call float @llvm.sin.f32(float %v)
  %s.next = fadd float %s, %sine
  %square = mul i64 %k, %k
  %k.next = add i64 %square, 7
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}
declare float @llvm.sin.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
