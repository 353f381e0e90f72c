; Once differentiated to a silent zero; refused now.
; RUN: not %opt -passes=kdiff -disable-output %s 2>&1 | FileCheck %s
; CHECK: cannot differentiate {{.*}}integer arithmetic on the bits
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @__kd_fwddiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %a = alloca [4 x i32]
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %twice = add i32 %b, 8388608
  %q = getelementptr i32, ptr %a, i32 %n
  store i32 %twice, ptr %q
  %m = load i32, ptr %z
  %q2 = getelementptr i32, ptr %a, i32 %m
  %l = load i32, ptr %q2
  %w = bitcast i32 %l to float
  store float %w, ptr %y
  ret void
}
