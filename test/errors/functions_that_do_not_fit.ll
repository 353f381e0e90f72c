; The function to differentiate must be one known function with a body.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/no-body.ll 2>&1 | FileCheck %t/no-body.ll
; RUN: not %opt -passes=kdiff -disable-output %t/no-function.ll 2>&1 | FileCheck %t/no-function.ll
; RUN: not %opt -passes=kdiff -disable-output %t/null.ll 2>&1 | FileCheck %t/no-function.ll
; RUN: not %opt -passes=kdiff -disable-output %t/nothing.ll 2>&1 | FileCheck %t/nothing.ll
; RUN: not %opt -passes=kdiff -disable-output %t/chosen.ll 2>&1 | FileCheck %t/chosen.ll
; RUN: not %opt -passes=kdiff -disable-output %t/parameter.ll 2>&1 | FileCheck %t/parameter.ll
; RUN: not %opt -passes=kdiff -disable-output %t/recursive-wrapper.ll 2>&1 | FileCheck %t/recursive-wrapper.ll
; RUN: not %opt -passes=kdiff -disable-output %t/variadic.ll 2>&1 | FileCheck %t/variadic.ll
; RUN: not %opt -passes=kdiff -disable-output %t/nested.ll 2>&1 | FileCheck %t/nested.ll
; RUN: not %opt -passes=kdiff -disable-output %t/address.ll 2>&1 | FileCheck %t/address.ll
; RUN: not %opt -passes=kdiff -disable-output %t/initializer.ll 2>&1 | FileCheck %t/address.ll
; RUN: not %opt -passes=kdiff -disable-output %t/invoke.ll 2>&1 | FileCheck %t/invoke.ll
; RUN: not %opt -passes=kdiff -disable-output %t/custom-rule.ll 2>&1 | FileCheck %t/custom-rule.ll

;--- no-body.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
declare float @_Z1gf(float)
; CHECK: error: {{.*}}g(float) has no body in this module: define it in the file that differentiates it
define void @request() {
  call float @__kd_autodiff(ptr @_Z1gf, float 1.0)
  ret void
}

;--- no-function.ll
target triple = "nvptx64-nvidia-cuda"
@v = global i32 0
declare float @__kd_autodiff(ptr, float)
; CHECK: error: {{.*}}the first argument of a request must be the function to differentiate, and is not a function
define void @request() {
  call float @__kd_autodiff(ptr @v, float 1.0)
  ret void
}

;--- null.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
define void @request() {
  call float @__kd_autodiff(ptr null, float 1.0)
  ret void
}

;--- nothing.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff()
; CHECK: error: {{.*}}a request needs the function to differentiate as its first argument
define void @request() {
  call void @__kd_autodiff()
  ret void
}

;--- chosen.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
define float @f(float %x) {
  ret float %x
}
define float @g(float %x) {
  ret float %x
}
; CHECK: error: {{.*}}the function to differentiate is not known here: it is chosen at run time; differentiate each function in a request of its own
define void @request(i1 %c) {
  %p = select i1 %c, ptr @f, ptr @g
  call float @__kd_autodiff(ptr %p, float 1.0)
  ret void
}

;--- parameter.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
; CHECK: error: {{.*}}the function to differentiate is not known here: it is a parameter of request, which is not called directly; make it a template argument
define ptx_kernel void @request(ptr %f) {
  call float @__kd_autodiff(ptr %f, float 1.0)
  ret void
}

;--- recursive-wrapper.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
; CHECK: error: {{.*}}the function to differentiate is not known here
define void @request(ptr %f, i32 %n) {
  call float @__kd_autodiff(ptr %f, float 1.0)
  call void @other(ptr %f, i32 %n)
  ret void
}
define void @other(ptr %f, i32 %n) {
  call void @request(ptr %f, i32 %n)
  ret void
}

;--- variadic.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
define float @f(float %x, ...) {
  ret float %x
}
; CHECK: error: {{.*}}cannot differentiate f, a variadic function: give it a fixed list of parameters
define void @request() {
  call float @__kd_autodiff(ptr @f, float 1.0)
  ret void
}

;--- nested.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
define float @square(float %x) {
  %r = fmul float %x, %x
  ret float %r
}
define float @slope(float %x) {
  %r = call float @__kd_autodiff(ptr @square, float %x)
  ret float %r
}
; CHECK: error: {{.*}}cannot differentiate a request within slope, which is differentiated itself: higher derivatives are not supported yet; write the inner derivative out
define void @request() {
  call float @__kd_autodiff(ptr @slope, float 1.0)
  ret void
}

;--- address.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
; CHECK: error: {{.*}}__kd_autodiff is not a function at run time: it can be called by its name only
define void @request(ptr %p) {
  store ptr @__kd_autodiff, ptr %p
  ret void
}

;--- initializer.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
@table = global [2 x ptr] [ptr null, ptr @__kd_autodiff]

;--- invoke.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
declare i32 @personality()
define float @f(float %x) {
  ret float %x
}
; CHECK: error: {{.*}}cannot differentiate a request that may throw: call it in a plain call
define float @request() personality ptr @personality {
  %r = invoke float @__kd_autodiff(ptr @f, float 1.0) to label %next unwind label %pad
next:
  ret float %r
pad:
  %l = landingpad { ptr, i32 } cleanup
  ret float 1.0
}

;--- custom-rule.ll
target triple = "nvptx64-nvidia-cuda"
; CHECK: error: {{.*}}cannot differentiate with the registration '__enzyme_register_gradient_f': custom derivatives are not supported yet
@__enzyme_register_gradient_f = global [1 x ptr] [ptr @f]
declare float @__kd_autodiff(ptr, float)
define float @f(float %x) {
  ret float %x
}
define void @request() {
  call float @__kd_autodiff(ptr @f, float 1.0)
  ret void
}
