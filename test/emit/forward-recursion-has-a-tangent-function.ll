; It takes each number's tangent and each pointer's shadow behind it, and returns
; the result and its tangent.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.tangent.f(
; CHECK: %[[BOTH:.*]] = call { float, float } @kdiff.tangent.power(float %v, float %{{.*}}, i32 %n, ptr %x, ptr %d.x)
; CHECK-DAG: %[[R:.*]] = extractvalue { float, float } %[[BOTH]], 0
; CHECK-DAG: %[[T:.*]] = extractvalue { float, float } %[[BOTH]], 1
; CHECK-DAG: store float %[[R]], ptr addrspace(1) %y.global
; CHECK-DAG: store float %[[T]], ptr addrspace(1) %d.y.global
; CHECK-LABEL: define internal { float, float } @kdiff.tangent.power(
; CHECK: call { float, float } @kdiff.tangent.power(float %0, float %1, i32 %m, ptr %3, ptr %4)
; CHECK-NOT: kd.tape
define float @power(float %a, i32 %n, ptr %x) noinline {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %go
stop:
  ret float 1.0
go:
  %m = sub i32 %n, 1
  %r = call float @power(float %a, i32 %m, ptr %x)
  %v = load float, ptr %x
  %av = fmul float %a, %v
  %s = fmul float %r, %av
  ret float %s
}
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %r = call float @power(float %v, i32 %n, ptr %x)
  store float %r, ptr %y
  ret void
}

declare void @__kd_fwddiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_fwddiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
