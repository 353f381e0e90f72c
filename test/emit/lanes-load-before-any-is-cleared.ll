; The shadows of two lanes may be one place for all that the optimiser knows: all
; seeds are loaded in front of the first store that clears one.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal [2 x float] @kdiff.grad.f(
; CHECK: {{^}}rev.
; CHECK: load float, ptr addrspace(1) %[[P0:[0-9]+]]
; CHECK: load float, ptr addrspace(1) %[[P1:[0-9]+]]
; CHECK: store float %{{.*}}, ptr addrspace(1) %[[P0]]
; CHECK: store float %{{.*}}, ptr addrspace(1) %[[P1]]
define ptx_kernel void @f(ptr %y, float %a) {
  store float %a, ptr %y
  ret void
}

declare [2 x float] @__kd_autodiff.two(...)
define [2 x float] @request(ptr %y, ptr %dy, ptr %dy2) {
  %d = call [2 x float] (...) @__kd_autodiff.two(ptr @f, metadata !"kd_width", i32 2, metadata !"kd_dup", ptr %y, ptr %dy, ptr %dy2, metadata !"kd_out", float 1.0)
  ret [2 x float] %d
}
