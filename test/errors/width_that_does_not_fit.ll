; What is wrong with a width, or with how many shadows it asks for.
; RUN: split-file %s %t
; RUN: cat %t/module.ll %t/none.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/none.ll
; RUN: cat %t/module.ll %t/variable.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/variable.ll
; RUN: cat %t/module.ll %t/many.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/many.ll
; RUN: cat %t/module.ll %t/late.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/late.ll
; RUN: cat %t/module.ll %t/twice.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/twice.ll
; RUN: cat %t/module.ll %t/few.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/few.ll
; RUN: cat %t/module.ll %t/number.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/number.ll
; RUN: cat %t/module.ll %t/null.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/null.ll
; RUN: cat %t/module.ll %t/result.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/result.ll
; RUN: cat %t/module.ll %t/tangent.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/tangent.ll

;--- module.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare float @__kd_autodiff.float(...)
declare float @__kd_fwddiff(...)
define void @f(ptr %x, i32 %n) {
  store float 1.0, ptr %x
  ret void
}
define float @g(float %a) {
  ret float %a
}

;--- none.ll
; CHECK: error: {{.*}}'kd_width' needs a constant from 1 to 64 behind it: how many shadows follow each value
define void @request() {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width")
  ret void
}

;--- variable.ll
; CHECK: error: {{.*}}'kd_width' needs a constant from 1 to 64 behind it
define void @request(ptr %x, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 %n, ptr %x, ptr %x, i32 1)
  ret void
}

;--- many.ll
; CHECK: error: {{.*}}'kd_width' needs a constant from 1 to 64 behind it
define void @request(ptr %x) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 65, ptr %x, ptr %x, i32 1)
  ret void
}

;--- late.ll
; CHECK: error: {{.*}}argument 2 'n' of f has 'kd_width' before it, which stands behind the request's function
define void @request(ptr %x) {
  call void (...) @__kd_autodiff(ptr @f, ptr %x, ptr %x, metadata !"kd_width", i32 2, i32 1)
  ret void
}

;--- twice.ll
; CHECK: error: {{.*}}'kd_width' is there twice
define void @request(ptr %x) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 2, metadata !"kd_width", i32 2, ptr %x, ptr %x, ptr %x, i32 1)
  ret void
}

;--- few.ll
; CHECK: error: {{.*}}argument 1 'x' of f has no shadow (kd_width: 3 of them): it must follow the value
define void @request(ptr %x) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 3, metadata !"kd_dup", ptr %x, ptr %x, ptr %x, metadata !"kd_const", i32 1)
  ret void
}

;--- number.ll
; CHECK: error: {{.*}}argument 1 'x' of f needs a shadow of type ptr (kd_width: 2 of them), but the call gives i32
define void @request(ptr %x) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 2, ptr %x, ptr %x, i32 1)
  ret void
}

;--- null.ll
; CHECK: error: {{.*}}argument 1 'x' of f has no memory for its shadow (null)
define void @request(ptr %x) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 2, ptr %x, ptr %x, ptr null, i32 1)
  ret void
}

;--- result.ll
; CHECK: error: {{.*}}the call returns float, but g has the adjoints of argument 1 'a' ([2 x float]) to return: let it return that type
define void @request(ptr %x) {
  call float (...) @__kd_autodiff.float(ptr @g, metadata !"kd_width", i32 2, float 1.0)
  ret void
}

;--- tangent.ll
; CHECK: error: {{.*}}the call returns float, but the tangent of the result of g has type [2 x float]
define void @request(ptr %x) {
  call float (...) @__kd_fwddiff(ptr @g, metadata !"kd_width", i32 2, float 1.0, float 1.0, float 1.0)
  ret void
}
