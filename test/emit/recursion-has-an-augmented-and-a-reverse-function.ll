; The augmented function does what the primal does and leaves a record behind
; its own calls; the reverse function takes it off, calls itself, and returns
; the argument's adjoint. All work on the one tape of the request.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: %[[R:.*]] = call float @kdiff.augmented.power(float %v, i32 %n, ptr %x, ptr %d.x, ptr %tape)
; CHECK: store float %[[R]], ptr addrspace(1) %y.global
; CHECK: %[[A:.*]] = call float @kdiff.reverse.power(float %{{.*}}, ptr %tape)
; CHECK: fadd float {{.*}}%[[A]]
; CHECK-LABEL: define internal float @kdiff.augmented.power(float %0, i32 %1, ptr %2, ptr %3, ptr %4)
; CHECK: call ptr addrspace(1) @kd.tape.push(ptr %4, i32 [[BYTES:[0-9]+]])
; CHECK: call float @kdiff.augmented.power(float %0, i32 %m, ptr %2, ptr %3, ptr %4)
; CHECK-NOT: kd.accumulate
; CHECK-LABEL: define internal float @kdiff.reverse.power(float %0, ptr %1)
; CHECK: call void @kd.accumulate.f32
; CHECK: call float @kdiff.reverse.power(float %{{.*}}, ptr %1)
; CHECK: call ptr addrspace(1) @kd.tape.pop(ptr %1, i32 [[BYTES]])
; CHECK-NOT: define internal float @kdiff
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

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
