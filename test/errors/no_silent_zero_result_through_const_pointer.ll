; __nv_sincosf writes to memory without a shadow, and the kernel reads it back.
; RUN: not %opt -passes=kdiff -disable-output %s 2>&1 | FileCheck %s
; CHECK: cannot differentiate {{.*}}a result stored to memory without a shadow that is read again
; CHECK-SAME: kd_dup
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @__nv_sincosf(float, ptr, ptr)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z)
  ret void
}
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z) {
  %v = load float, ptr %x
  %c = getelementptr float, ptr %z, i64 1
  call void @__nv_sincosf(float %v, ptr %z, ptr %c)
  %s = load float, ptr %z
  store float %s, ptr %y
  ret void
}
