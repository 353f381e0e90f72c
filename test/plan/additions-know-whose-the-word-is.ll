; A thread's own array needs no atomics; where the index does not depend on the
; lane, the warp sums first; any other word may be another thread's too.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-DAG: private addition: %u = load float
; CHECK-DAG: warp-uniform addition: %v = load float
; CHECK-DAG: contended addition: %w = load float
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %own = alloca [4 x float]
  %v = load float, ptr %x
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %x, i32 %tid
  %w = load float, ptr %p
  %q = getelementptr float, ptr %own, i32 %n
  store float %w, ptr %q
  %u = load float, ptr %own
  %vw = fmul float %v, %w
  %r = fmul float %vw, %u
  %o = getelementptr float, ptr %y, i32 %tid
  store float %r, ptr %o
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
