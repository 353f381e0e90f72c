; The tangent of a function that stays a call has no abstract operation and no
; request, but mathematics that NVPTX cannot select.
; RUN: env KDIFF_LIBDEVICE=%libdevice %opt -passes=kdiff-lower -S %s | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal double @kdiff.tangent.f(
; CHECK-NOT: alloca
; CHECK: call double @__nv_cos(
; CHECK: ret double
define internal double @kdiff.tangent.f(double %x, double %dx) {
  %slot = alloca double
  %c = call double @llvm.cos.f64(double %x)
  %d = fmul double %c, %dx
  store double %d, ptr %slot
  %r = load double, ptr %slot
  ret double %r
}

; Other functions are the user's: left alone.
; CHECK-LABEL: define double @g(
; CHECK: alloca
; CHECK: call double @llvm.cos.f64(
define double @g(double %x) {
  %slot = alloca double
  %c = call double @llvm.cos.f64(double %x)
  store double %c, ptr %slot
  %r = load double, ptr %slot
  ret double %r
}

declare double @llvm.cos.f64(double)
