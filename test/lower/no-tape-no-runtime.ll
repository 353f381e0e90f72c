; A module whose gradients need no tape gets nothing of it.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s --implicit-check-not=__kd_ --implicit-check-not=vprintf

target triple = "nvptx64-nvidia-cuda"

; CHECK: define ptx_kernel void @k(
define ptx_kernel void @k(ptr %d, float %v) {
  call void @kd.accumulate.f32.p0(ptr %d, float %v, i32 5)
  ret void
}
declare void @kd.accumulate.f32.p0(ptr, float, i32)
