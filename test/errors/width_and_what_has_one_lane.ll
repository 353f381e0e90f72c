; Registered derivatives and shadows that serve one lane alone.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/tangent.ll 2>&1 | FileCheck %t/tangent.ll
; RUN: not %opt -passes=kdiff -disable-output %t/reverse.ll 2>&1 | FileCheck %t/reverse.ll
; RUN: not %opt -passes=kdiff -disable-output %t/variable.ll 2>&1 | FileCheck %t/variable.ll

;--- tangent.ll
; CHECK: cannot differentiate with 2 derivatives at once 'f', whose registered tangent function makes one tangent: ask for one derivative at a time
; CHECK-NOT: error
target triple = "nvptx64-nvidia-cuda"
@__kd_forward_rule_0 = constant [2 x ptr] [ptr @f, ptr @t]
define double @f(double %x) {
  ret double %x
}
define double @t(ptr %r, double %x, double %dx) {
  store double %x, ptr %r
  ret double %dx
}
define void @k(ptr %x) {
  %v = load double, ptr %x
  %r = call double @f(double %v)
  store double %r, ptr %x
  ret void
}
declare void @__kd_fwddiff(...)
define void @request(ptr %x, ptr %p, ptr %q) {
  call void (...) @__kd_fwddiff(ptr @k, metadata !"kd_width", i32 2, ptr %x, ptr %p, ptr %q)
  ret void
}

;--- reverse.ll
; A rule for numbers alone is called once for each lane; one for memory may keep
; the shadow that it is given.
; CHECK: cannot differentiate with 2 derivatives at once 'g', whose registered reverse rule takes one shadow for a pointer: ask for one derivative at a time
; CHECK-NOT: error
target triple = "nvptx64-nvidia-cuda"
@__kd_reverse_rule_0 = constant [4 x ptr] [ptr @f, ptr @fa, ptr @fr, ptr null]
@__kd_reverse_rule_1 = constant [4 x ptr] [ptr @g, ptr @ga, ptr @gr, ptr null]
define double @f(double %x) {
  ret double %x
}
define double @fa(ptr %saved, double %x) {
  ret double %x
}
define void @fr(ptr %saved, double %d, double %x, ptr %dx) {
  store double %d, ptr %dx
  ret void
}
define double @g(ptr %x) {
  ret double 1.0
}
define double @ga(ptr %saved, ptr %x, ptr %dx) {
  ret double 1.0
}
define void @gr(ptr %saved, double %d, ptr %x, ptr %dx) {
  ret void
}
define void @k(ptr %x) {
  %v = load double, ptr %x
  %r = call double @f(double %v)
  %s = call double @g(ptr %x)
  %t = fadd double %r, %s
  store double %t, ptr %x
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %p, ptr %q) {
  call void (...) @__kd_autodiff(ptr @k, metadata !"kd_width", i32 2, ptr %x, ptr %p, ptr %q)
  ret void
}

;--- variable.ll
; CHECK: cannot differentiate with 2 derivatives at once of 'w', whose shadow 'dw' is no array of 2 such variables: make it one, or ask for one derivative at a time
; CHECK-NOT: error
target triple = "nvptx64-nvidia-cuda"
@w = addrspace(1) global [4 x double] zeroinitializer
@dw = addrspace(1) global [4 x double] zeroinitializer
@__kd_shadow_0 = constant [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @w to ptr), ptr addrspacecast (ptr addrspace(1) @dw to ptr)]
define void @k(ptr %x) {
  %v = load double, ptr addrspace(1) @w
  store double %v, ptr %x
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %p, ptr %q) {
  call void (...) @__kd_autodiff(ptr @k, metadata !"kd_width", i32 2, ptr %x, ptr %p, ptr %q)
  ret void
}
