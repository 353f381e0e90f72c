; Once differentiated to a silent zero; refused now.
; RUN: not %opt -passes=kdiff -disable-output %s 2>&1 | FileCheck %s
; CHECK: cannot differentiate {{.*}}stored to memory without a shadow that is read again
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @__kd_fwddiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 1)
  ret void
}
define float @rd(ptr %p, i32 %n) noinline {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %go
stop:
  %v = load float, ptr %p
  ret float %v
go:
  %m = sub i32 %n, 1
  %q = call float @rd(ptr %p, i32 %m)
  %q2 = fmul float %q, 2.0
  ret float %q2
}
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %r = fmul float %v, %v
  store float %r, ptr %z
  %w = call float @rd(ptr %z, i32 %n)
  store float %w, ptr %y
  ret void
}
