; Shadows of local variables are made behind the last one, so none may stand
; between the instructions of the entry block.
; RUN: %opt -passes='kdiff<stop-after=prepare>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__nv_sincos(double, ptr, ptr)

; CHECK-LABEL: define internal void @{{.*primal.*}}(
; CHECK-NEXT: %s = alloca double
; CHECK-NEXT: %c = alloca double
; CHECK: load double
; CHECK-NOT: alloca
; CHECK: call void @__nv_sincos(
define void @primal(ptr %x) {
  %s = alloca double
  %v = load double, ptr %x
  %c = alloca double
  call void @__nv_sincos(double %v, ptr %s, ptr %c)
  %r = load double, ptr %c
  store double %r, ptr %x
  ret void
}

declare void @__kd_autodiff(ptr, ...)
define void @request(ptr %x, ptr %dx) {
  call void (ptr, ...) @__kd_autodiff(ptr @primal, metadata !"kd_dup", ptr %x, ptr %dx)
  ret void
}
