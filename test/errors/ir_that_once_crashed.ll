; Modules that once crashed: lengths known at run time only are refused, calls
; that must be tail calls become ordinary ones, and null is no memory that lacks
; a shadow.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/scalable.ll 2>&1 | FileCheck %t/scalable.ll
; RUN: %opt -passes=kdiff -S %t/tail.ll | FileCheck %t/tail.ll
; RUN: %opt -passes=kdiff -S %t/null.ll | FileCheck %t/null.ll

;--- scalable.ll
; CHECK: cannot differentiate a vector of a length known at run time only
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
define void @f(ptr %x, ptr %y) {
  %w = load <vscale x 2 x double>, ptr %x
  %m = fmul <vscale x 2 x double> %w, %w
  store <vscale x 2 x double> %m, ptr %y
  ret void
}
define ptx_kernel void @g(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}

;--- tail.ll
; CHECK: define internal {{.*}}@kdiff.reverse.f2
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
define void @f2(ptr %x, ptr %y, i32 %n) {
  %v = load double, ptr %x
  %w = load double, ptr %y
  %r = fmul double %v, %w
  store double %r, ptr %y
  %c = icmp eq i32 %n, 0
  br i1 %c, label %E, label %C
C:
  %m = sub i32 %n, 1
  musttail call void @f2(ptr %x, ptr %y, i32 %m)
  ret void
E:
  ret void
}
define void @f(ptr %x, ptr %y) {
  call void @f2(ptr %x, ptr %y, i32 5)
  ret void
}
define ptx_kernel void @g(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}

;--- null.ll
; CHECK: define ptx_kernel void @g
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_fwddiff(...)
define void @f(ptr %x, ptr %y) {
  %v = load double, ptr %x
  %c = fcmp ogt double %v, 0.0
  %p = select i1 %c, ptr %x, ptr null
  %w = load double, ptr %p
  %r = fmul double %w, %v
  store double %r, ptr %y
  ret void
}
define ptx_kernel void @g(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_fwddiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
