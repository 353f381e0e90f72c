; A derivative has the fast-math flags of the operation it belongs to. The sum
; that its product goes into may be contracted if the operation may; no more.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: fmul fast float
; CHECK: fadd contract float
; CHECK-NOT: {{fast|contract|reassoc|nnan|ninf|nsz|arcp|afn}}
; CHECK: fmul float
; CHECK-NOT: {{fast|contract|reassoc|nnan|ninf|nsz|arcp|afn}}
; CHECK: {{^}}declare
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %c = load float, ptr %z
  %a = fmul float %v, %c
  %b = fmul fast float %a, %c
  store float %b, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
