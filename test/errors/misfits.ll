; Every request that does not fit its function is an error that names the
; argument.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/missing-shadow.ll 2>&1 | FileCheck %t/missing-shadow.ll
; RUN: not %opt -passes=kdiff -disable-output %t/marker-for-shadow.ll 2>&1 | FileCheck %t/marker-for-shadow.ll
; RUN: not %opt -passes=kdiff -disable-output %t/null-shadow.ll 2>&1 | FileCheck %t/null-shadow.ll
; RUN: not %opt -passes=kdiff -disable-output %t/value-for-shadow.ll 2>&1 | FileCheck %t/value-for-shadow.ll
; RUN: not %opt -passes=kdiff -disable-output %t/wrong-type.ll 2>&1 | FileCheck %t/wrong-type.ll
; RUN: not %opt -passes=kdiff -disable-output %t/shadow-for-value.ll 2>&1 | FileCheck %t/shadow-for-value.ll
; RUN: not %opt -passes=kdiff -disable-output %t/inexact.ll 2>&1 | FileCheck %t/inexact.ll
; RUN: not %opt -passes=kdiff -disable-output %t/too-few.ll 2>&1 | FileCheck %t/too-few.ll
; RUN: not %opt -passes=kdiff -disable-output %t/marker-without-value.ll 2>&1 | FileCheck %t/marker-without-value.ll
; RUN: not %opt -passes=kdiff -disable-output %t/too-many.ll 2>&1 | FileCheck %t/too-many.ll
; RUN: not %opt -passes=kdiff -disable-output %t/last-marker.ll 2>&1 | FileCheck %t/last-marker.ll
; RUN: not %opt -passes=kdiff -disable-output %t/two-markers.ll 2>&1 | FileCheck %t/two-markers.ll
; RUN: not %opt -passes=kdiff -disable-output %t/unknown-marker.ll 2>&1 | FileCheck %t/unknown-marker.ll
; RUN: not %opt -passes=kdiff -disable-output %t/later-marker.ll 2>&1 | FileCheck %t/later-marker.ll

;--- missing-shadow.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}argument 1 'x' of f has no shadow: it must follow the value
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr %x)
  ret void
}

;--- marker-for-shadow.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x, ptr %y) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}argument 1 'x' of f has no shadow
define void @request(ptr %x, ptr %y) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, metadata !"kd_const", ptr %y)
  ret void
}

;--- null-shadow.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}argument 1 'x' of f has no memory for its shadow (null): mark it kd_const
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr %x, ptr null)
  ret void
}

;--- value-for-shadow.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x, i32 %n) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}argument 1 'x' of f needs a shadow of type ptr, but the call gives i32 (is the shadow missing?)
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr %x, i32 3)
  ret void
}

;--- wrong-type.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x, i64 %n) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}argument 2 'n' of f has type i64, but the call gives i32 (is a shadow missing before it? else cast the value)
define void @request(ptr %x, i32 %n) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr %x, ptr %x, i32 %n)
  ret void
}

;--- shadow-for-value.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x, i64 %n) {
  store i32 1, ptr %x
  ret void
}
; CHECK: error: {{.*}}argument 2 'n' of f has type i64, but the call gives ptr (without a shadow were taken: argument 1 'x')
define void @request(ptr %x, i64 %n) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr %x, ptr %x, i64 %n)
  ret void
}

;--- inexact.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, ...)
define float @f(float %x) {
  ret float %x
}
; CHECK: error: {{.*}}argument 1 'x' of f has type float, but the call gives double
define float @request() {
  %r = call float (ptr, ...) @__kd_autodiff(ptr @f, double 0.1)
  ret float %r
}

;--- too-few.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, ...)
define float @f(float %x, float %y) {
  ret float %x
}
; CHECK: error: {{.*}}argument 2 'y' of f is missing in the call
define float @request() {
  %r = call float (ptr, ...) @__kd_autodiff(ptr @f, float 1.0)
  ret float %r
}

;--- marker-without-value.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, ...)
define float @f(float %x, float %y) {
  ret float %x
}
; CHECK: error: {{.*}}argument 2 'y' of f has a marker and no value
define float @request() {
  %r = call float (ptr, ...) @__kd_autodiff(ptr @f, float 1.0, metadata !"kd_const")
  ret float %r
}

;--- too-many.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x) {
  store i32 1, ptr %x
  ret void
}
; CHECK: error: {{.*}}value 3 of the call is one too many for f (without a shadow were taken: argument 1 'x')
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr %x, ptr %x)
  ret void
}

;--- last-marker.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}marker 'kd_const' stands behind the last of the 1 arguments of f
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr %x, ptr %x, metadata !"kd_const", i32 1)
  ret void
}

;--- two-markers.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}argument 1 'x' of f has two markers, 'kd_dup' and 'enzyme_const'
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, metadata !"kd_dup", metadata !"enzyme_const", ptr %x)
  ret void
}

;--- unknown-marker.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}argument 1 'x' of f has an unknown marker 'kd_dupe'
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, metadata !"kd_dupe", ptr %x, ptr %x)
  ret void
}

;--- later-marker.ll
target triple = "nvptx64-nvidia-cuda"
@enzyme_scalar = external addrspace(1) global i32
declare void @__kd_autodiff(ptr, i32, ptr, ptr)
define void @f(ptr %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}cannot differentiate with the marker 'enzyme_scalar' of argument 1 'x' of f: it is not supported yet; use kd_dup,
define void @request(ptr %x) {
  %m = load i32, ptr addrspace(1) @enzyme_scalar
  call void @__kd_autodiff(ptr @f, i32 %m, ptr %x, ptr %x)
  ret void
}
