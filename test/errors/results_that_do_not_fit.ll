; The call's type must be what the gradient returns.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/type.ll 2>&1 | FileCheck %t/type.ll
; RUN: not %opt -passes=kdiff -disable-output %t/lost.ll 2>&1 | FileCheck %t/lost.ll
; RUN: not %opt -passes=kdiff -disable-output %t/order.ll 2>&1 | FileCheck %t/order.ll
; RUN: not %opt -passes=kdiff -disable-output %t/none.ll 2>&1 | FileCheck %t/none.ll
; RUN: not %opt -passes=kdiff -disable-output %t/tangent.ll 2>&1 | FileCheck %t/tangent.ll
; RUN: not %opt -passes=kdiff -disable-output %t/lost-tangent.ll 2>&1 | FileCheck %t/lost-tangent.ll
; RUN: not %opt -passes=kdiff -disable-output %t/struct.ll 2>&1 | FileCheck %t/struct.ll
; RUN: not %opt -passes=kdiff -disable-output %t/struct-tangent.ll 2>&1 | FileCheck %t/struct-tangent.ll
; RUN: not %opt -passes=kdiff -disable-output %t/memory.ll 2>&1 | FileCheck %t/memory.ll

;--- type.ll
target triple = "nvptx64-nvidia-cuda"
declare double @__kd_autodiff(ptr, float)
define float @f(float %x) {
  ret float %x
}
; CHECK: error: {{.*}}the call returns double, but f has the adjoints of argument 1 'x' (float) to return: let it return that type, or mark
define double @request() {
  %r = call double @__kd_autodiff(ptr @f, float 1.0)
  ret double %r
}

;--- lost.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, float)
define float @f(float %x) {
  ret float %x
}
; CHECK: error: {{.*}}the call returns void, but f has the adjoints of argument 1 'x' (float) to return
define void @request() {
  call void @__kd_autodiff(ptr @f, float 1.0)
  ret void
}

;--- order.ll
target triple = "nvptx64-nvidia-cuda"
%R = type { double, float }
declare %R @__kd_autodiff(ptr, float, double)
define float @f(float %x, double %y) {
  ret float %x
}
; CHECK: error: {{.*}}the call returns %R, but f has the adjoints of argument 1 'x' (float), argument 2 'y' (double) to return: let it return a struct of these in this order
define void @request() {
  call %R @__kd_autodiff(ptr @f, float 1.0, double 1.0)
  ret void
}

;--- none.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, ptr, ptr)
define void @f(ptr %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}the call returns float, but f has no argument whose adjoint is returned (kd_out): let it return void
define void @request(ptr %x) {
  call float @__kd_autodiff(ptr @f, ptr %x, ptr %x)
  ret void
}

;--- tangent.ll
target triple = "nvptx64-nvidia-cuda"
declare double @__kd_fwddiff(ptr, float, float)
define float @f(float %x) {
  ret float %x
}
; CHECK: error: {{.*}}the call returns double, but the tangent of the result of f has type float
define void @request() {
  call double @__kd_fwddiff(ptr @f, float 1.0, float 1.0)
  ret void
}

;--- lost-tangent.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_fwddiff(ptr, float, float)
define float @f(float %x) {
  ret float %x
}
; CHECK: error: {{.*}}the call returns void, but the tangent of the result of f has type float
define void @request() {
  call void @__kd_fwddiff(ptr @f, float 1.0, float 1.0)
  ret void
}

;--- struct.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
define { float, float } @f(float %x) {
  ret { float, float } zeroinitializer
}
; CHECK: error: {{.*}}cannot differentiate a function that returns { float, float } in reverse mode: let it return one floating-point value
define void @request() {
  call float @__kd_autodiff(ptr @f, float 1.0)
  ret void
}

;--- struct-tangent.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_fwddiff(ptr, float, float)
define { float, float } @f(float %x) {
  ret { float, float } zeroinitializer
}
; CHECK: error: {{.*}}cannot differentiate a function that returns { float, float } in forward mode: let it return one floating-point value
define void @request() {
  call void @__kd_fwddiff(ptr @f, float 1.0, float 1.0)
  ret void
}

;--- memory.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ptr, ptr)
define void @f(ptr sret(float) %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}cannot differentiate a result that is returned through memory: write it through a pointer argument instead
define void @request(ptr %x) {
  call void @__kd_autodiff(ptr @f, ptr %x, ptr %x)
  ret void
}
