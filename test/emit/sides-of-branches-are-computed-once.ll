; What a side of a branch is run again for, its result, and what the reverse of
; that side needs, are computed once: the former keeps it for the latter.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.one:
; CHECK-NOT: @llvm.sin.f32
; CHECK: call float @__nv_cosf(float %[[TWO:side.one.2.*]])
; CHECK-NOT: @llvm.sin.f32
; CHECK: {{^}}rev.loop:
; CHECK: {{^}}again.join:
; CHECK: %[[TWO]] = phi float [ %[[AGAIN:.*]], %[[SIDE:.*]] ], [ poison, %again.side ]
; CHECK: {{^}}[[SIDE]]:
; CHECK: %[[AGAIN]] = call float @llvm.sin.f32(
define ptx_kernel void @f(ptr noalias readonly %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %join ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %b = load volatile float, ptr %z
  %c = fcmp ogt float %b, 0.0
  br i1 %c, label %one, label %two
one:
  %one.1 = call float @llvm.sin.f32(float %v)
  %one.2 = call float @llvm.sin.f32(float %one.1)
  %square = call float @llvm.sin.f32(float %one.2)
  br label %join
two:
  %two.1 = call float @llvm.cos.f32(float %v)
  %two.2 = call float @llvm.cos.f32(float %two.1)
  %double = call float @llvm.cos.f32(float %two.2)
  br label %join
join:
  %m = phi float [ %square, %one ], [ %double, %two ]
  %sine = call float @llvm.sin.f32(float %m)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}
declare float @llvm.sin.f32(float)
declare float @llvm.cos.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
