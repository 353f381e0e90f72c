; A shadow that the request passes as the address of a local variable is the
; thread's own: plain additions. Through any other pointer they are atomic.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(ptr %x, ptr %d.x, ptr %y, ptr %d.y)
; CHECK-DAG: call void @kd.accumulate.f32.p{{[01]}}(ptr {{.*}}, i32 0)
; CHECK-DAG: call void @kd.accumulate.f32.p{{[01]}}(ptr {{.*}}, i32 {{[45]}})
define void @f(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %w = load float, ptr %y
  %r = fmul float %v, %w
  store float %r, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %y, ptr %dy) {
  %x = alloca float
  %dx = alloca float
  store float 2.0, ptr %x
  store float 0.0, ptr %dx
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
