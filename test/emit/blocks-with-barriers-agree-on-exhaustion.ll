; A thread that lacks room on the tape skips the reverse sweep; where others
; would wait for it at a mirrored barrier, the block skips it together.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: %[[MINE:.*]] = call i1 @kd.tape.exhausted(ptr %tape)
; CHECK: %[[ANY:.*]] = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %[[MINE]])
; CHECK: br i1 %[[ANY]], label %rev.done{{[0-9]*}}, label %rev.clear
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %r = fmul float %v, %v
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o = getelementptr float, ptr %y, i32 %i
  store float %r, ptr %o
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
