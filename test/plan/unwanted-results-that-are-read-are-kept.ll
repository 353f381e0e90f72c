; kd_dupnoneed: a store that a load sees, through whichever pointer, whose value
; the reverse sweep needs, is no unwanted work; the last one is.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s --check-prefix=EMIT
; RUN: sed 's/autodiff/fwddiff/' %s | %opt -passes='kdiff<stop-after=emit>' -S | FileCheck %s --check-prefix=FORWARD

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: left out:
; CHECK: left out: store float %last, ptr
; CHECK-NOT: left out:
; EMIT-LABEL: define internal void @kdiff.grad.f(
; EMIT: store float %sq
; EMIT-NOT: store float %last
; FORWARD-LABEL: define internal void @kdiff.tangent.f(
; FORWARD: store float %sq
; FORWARD: store float %{{.*}}, ptr addrspace(1) %d.z
; FORWARD-NOT: store float %last
define ptx_kernel void @f(ptr %x, ptr %y, ptr noalias %z) {
  %v = load float, ptr %x
  %sq = fmul float %v, %v
  store float %sq, ptr %y
  %w = load float, ptr %x
  %last = fmul float %w, %w
  store float %last, ptr %z
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z, ptr %dz) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dupnoneed", ptr %y, ptr %dy, metadata !"kd_dupnoneed", ptr %z, ptr %dz)
  ret void
}
