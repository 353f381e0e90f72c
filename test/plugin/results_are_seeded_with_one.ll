; The result of the function is seeded with 1: x has the derivative 1, x * x
; has 2 x; in forward mode the tangent is that of the result.
; RUN: %opt -passes=kdiff -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
declare float @__kd_fwddiff(ptr, float, float)
define float @same(float %x) {
  ret float %x
}
define float @square(float %x) {
  %r = fmul float %x, %x
  ret float %r
}

; CHECK-LABEL: define float @one(
; CHECK: ret float 1.0
define float @one(float %x) {
  %r = call float @__kd_autodiff(ptr @same, float %x)
  ret float %r
}
; CHECK-LABEL: define float @six(
; CHECK: ret float 6.0
define float @six() {
  %r = call float @__kd_autodiff(ptr @square, float 3.0)
  ret float %r
}
; CHECK-LABEL: define float @tangent(
; CHECK: ret float %t
define float @tangent(float %x, float %t) {
  %r = call float @__kd_fwddiff(ptr @same, float %x, float %t)
  ret float %r
}
