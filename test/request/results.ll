; The call returns the adjoints of the kd_out arguments in order; in forward
; mode it returns the tangent of the result.
; RUN: %opt -passes='print<kdiff-request>' -disable-output %s 2>&1 | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

%Pair = type { float, { double } }
declare %Pair @__kd_autodiff.pair(ptr, float, i32, double)
declare [2 x float] @__kd_autodiff.array(ptr, float, float)
declare void @__kd_autodiff.none(ptr, ptr, ptr)
declare float @__kd_fwddiff.float(ptr, float, float, i32, double, double)
declare void @__kd_fwddiff.none(ptr, ptr, ptr)

define float @f(float %a, i32 %n, double %b) {
  ret float %a
}
define float @g(float %a, float %b) {
  ret float %a
}
define i32 @h(ptr %p) {
  store float 1.0, ptr %p
  ret i32 0
}
define i32 @unit(ptr %p) {
  store float 1.0, ptr %p
  ret i32 0
}

; CHECK: reverse of f in request
; CHECK: reverse of g in request
; CHECK: reverse of h in request
; CHECK: forward of f in request
; CHECK: forward of unit in request
define void @request(ptr %p, ptr %dp) {
  call %Pair @__kd_autodiff.pair(ptr @f, float 1.0, i32 2, double 3.0)
  call [2 x float] @__kd_autodiff.array(ptr @g, float 1.0, float 2.0)
  call void @__kd_autodiff.none(ptr @h, ptr %p, ptr %dp)
  call float @__kd_fwddiff.float(ptr @f, float 1.0, float 1.0, i32 2, double 3.0, double 1.0)
  call void @__kd_fwddiff.none(ptr @unit, ptr %p, ptr %dp)
  ret void
}
