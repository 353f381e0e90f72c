; Whatever their attributes, also through function pointers that inlining makes
; known. What has a derivative of its own, or calls itself, stays a call.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IR

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; IR-LABEL: define internal void @primal.kdiff(
; IR-NOT: @{{square|apply}}
; IR: call float @__nv_sinf(
; IR-NOT: @{{square|apply}}
; IR: call float @down(
; IR: call float @even(
; IR-NOT: call
; IR: ret void
define ptx_kernel void @primal(ptr %x, i32 %n) {
  %v = load float, ptr %x
  %f = alloca ptr
  store ptr @square, ptr %f
  %fn = load ptr, ptr %f
  %a = call float @apply(ptr %fn, float %v)
  %b = call float @__nv_sinf(float %a)
  %c = call float @down(float %b, i32 %n)
  %d = call float @even(float %c, i32 %n)
  store float %d, ptr %x
  ret void
}

define float @apply(ptr %f, float %x) noinline optnone {
  %slot = alloca ptr
  store ptr %f, ptr %slot
  %fn = load ptr, ptr %slot
  %r = call float %fn(float %x)
  ret float %r
}
define float @square(float %x) noinline {
  %r = fmul float %x, %x
  ret float %r
}
define float @__nv_sinf(float %x) {
  ret float %x
}
define float @down(float %x, i32 %n) {
  %stop = icmp eq i32 %n, 0
  br i1 %stop, label %done, label %more
more:
  %m = sub i32 %n, 1
  %y = fmul float %x, %x
  %r = call float @down(float %y, i32 %m)
  ret float %r
done:
  ret float %x
}
define float @even(float %x, i32 %n) {
  %m = sub i32 %n, 1
  %r = call float @odd(float %x, i32 %m)
  ret float %r
}
define float @odd(float %x, i32 %n) {
  %m = udiv i32 %n, 2
  %r = call float @even(float %x, i32 %m)
  ret float %r
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @primal, ptr %x, ptr %dx, i32 1)
  ret void
}
