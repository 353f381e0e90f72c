; A value handed to another lane keeps its activity, in one 32-bit shuffle or
; in the two that move a double; votes have none.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: activity of kdiff.grad.f:
; CHECK: active %b = bitcast float %v to i32
; CHECK-NEXT: active %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32
; CHECK-NEXT: active %w = bitcast i32 %s to float
; CHECK-NOT: active %vote
define ptx_kernel void @f(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %b, i32 1, i32 31)
  %w = bitcast i32 %s to float
  %big = fcmp ogt float %v, 1.0
  %vote = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %big)
  %p = getelementptr float, ptr %y, i32 %vote
  store float %w, ptr %p
  ret void
}
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
