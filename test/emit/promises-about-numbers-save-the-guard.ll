; An operation that promises no infinities or no NaNs has none of either where
; its derivative is made: a plain product, without a test for zero.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK-NOT: {{fcmp|select}}
; CHECK: fmul ninf float
; CHECK-NOT: {{fcmp|select}}
; CHECK: fmul nnan float
; CHECK-NOT: {{fcmp|select}}
; CHECK: call void @kd.accumulate
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %c = load float, ptr %z
  %a = fmul nnan float %v, %c
  %b = fmul ninf float %a, %c
  store float %b, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
