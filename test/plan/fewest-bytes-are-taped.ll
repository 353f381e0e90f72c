; Both terms may be overwritten. Their sum is all that the sine needs: one
; word instead of two. What is computed from taped values is computed again.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: tape: %vw = fadd float %v, %w ; it is smaller than what it is computed from
; CHECK-DAG: recompute: %shifted = fadd float %vw, 1.000000e+00
; CHECK: record of %loop: 8 bytes
; CHECK-NEXT: +0 4 %vw
; CHECK-NOT: +
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %n
  %v = load float, ptr %p
  %q = getelementptr float, ptr %x, i32 %i
  %w = load float, ptr %q
  %vw = fadd float %v, %w
  %shifted = fadd float %vw, 1.0
  %sine = call float @llvm.sin.f32(float %vw)
  %sine2 = call float @llvm.sin.f32(float %shifted)
  %r = fadd float %sine, %sine2
  %o = getelementptr float, ptr %y, i32 %i
  store float %r, ptr %o
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare float @llvm.sin.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
