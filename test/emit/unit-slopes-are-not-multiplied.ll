; The derivatives of a sum and a difference are 1 and -1: the adjoint is handed
; on, or negated; of a conversion it is the conversion back.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK-NOT: fmul
; CHECK: fptrunc double %{{.*}} to float
; CHECK-NOT: fmul
; CHECK: fneg float
; CHECK-NOT: fmul
; CHECK: {{^}}declare
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %c = load float, ptr %z
  %p = getelementptr float, ptr %x, i32 %n
  %w = load float, ptr %p
  %a = fadd float %v, %c
  %b = fsub float %a, %w
  %d = fpext float %b to double
  store double %d, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
