; Once differentiated to a silent zero; refused now.
; RUN: not %opt -passes=kdiff -disable-output %s 2>&1 | FileCheck %s
; CHECK: cannot differentiate {{.*}}stored to memory without a shadow that is read again
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @__kd_fwddiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %sq = fmul float %v, %v
  %p = load ptr, ptr %z
  store float %sq, ptr %p
  %p2 = load ptr, ptr %z
  %w = load float, ptr %p2
  store float %w, ptr %y
  ret void
}
