; N adjoints or tangents of a number are an array; so are those that go into and
; out of the derivative of a function that stays a call.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal { [2 x float], [2 x float] } @kdiff.grad.f(float %a, float %unused, i32 %n)
; CHECK: call [2 x float] @kdiff.reverse.power([2 x float] %{{.*}}, ptr %tape)
; CHECK-LABEL: define internal float @kdiff.augmented.power(float %0, i32 %1, ptr %2)
; CHECK-LABEL: define internal [2 x float] @kdiff.reverse.power([2 x float] %0, ptr %1)
; CHECK-LABEL: define internal [2 x float] @kdiff.tangent.f(float %a, float %d.a, float %d.a1, float %unused, i32 %n)
; CHECK: %[[BOTH:.*]] = call { float, [2 x float] } @kdiff.tangent.power(float %a, float %d.a, float %d.a1, i32 %n)
; CHECK: %[[T:.*]] = extractvalue { float, [2 x float] } %[[BOTH]], 1
; CHECK: extractvalue [2 x float] %[[T]], 0
; CHECK: extractvalue [2 x float] %[[T]], 1
define float @power(float %a, i32 %n) noinline {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %go
stop:
  ret float 1.0
go:
  %m = sub i32 %n, 1
  %r = call float @power(float %a, i32 %m)
  %s = fmul float %r, %a
  ret float %s
}
define float @f(float %a, float %unused, i32 %n) {
  %r = call float @power(float %a, i32 %n)
  ret float %r
}

%Adjoints = type { [2 x float], [2 x float] }
declare %Adjoints @__kd_autodiff(...)
declare [2 x float] @__kd_fwddiff(...)
define void @request(ptr %p, ptr %q) {
  %d = call %Adjoints (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 2, float 1.0, float 2.0, i32 7)
  store %Adjoints %d, ptr %p
  %t = call [2 x float] (...) @__kd_fwddiff(ptr @f, metadata !"kd_width", i32 2, float 1.0, float 2.0, float 3.0, metadata !"kd_const", float 2.0, i32 7)
  store [2 x float] %t, ptr %q
  ret void
}
