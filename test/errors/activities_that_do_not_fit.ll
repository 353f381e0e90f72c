; A marker must fit the argument's type and the mode; adjoints must not be lost.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/dup-float.ll 2>&1 | FileCheck %t/dup-float.ll
; RUN: not %opt -passes=kdiff -disable-output %t/dup-int.ll 2>&1 | FileCheck %t/dup-int.ll
; RUN: not %opt -passes=kdiff -disable-output %t/out-pointer.ll 2>&1 | FileCheck %t/out-pointer.ll
; RUN: not %opt -passes=kdiff -disable-output %t/acc-int.ll 2>&1 | FileCheck %t/acc-int.ll
; RUN: not %opt -passes=kdiff -disable-output %t/acc-value.ll 2>&1 | FileCheck %t/acc-value.ll
; RUN: not %opt -passes=kdiff -disable-output %t/out-forward.ll 2>&1 | FileCheck %t/out-forward.ll
; RUN: not %opt -passes=kdiff -disable-output %t/aggregate.ll 2>&1 | FileCheck %t/aggregate.ll
; RUN: not %opt -passes=kdiff -disable-output %t/struct-copy.ll 2>&1 | FileCheck %t/struct-copy.ll
; RUN: not %opt -passes=kdiff -disable-output %t/union-copy.ll 2>&1 | FileCheck %t/struct-copy.ll
; RUN: not %opt -passes=kdiff -disable-output %t/struct-for-pointer.ll 2>&1 | FileCheck %t/struct-for-pointer.ll
; RUN: not %opt -passes=kdiff -disable-output %t/unused-pointer.ll 2>&1 | FileCheck %t/unused-pointer.ll --check-prefix=MARKER
; RUN: not %opt -passes=kdiff -disable-output %t/bytes.ll 2>&1 | FileCheck %t/bytes.ll --check-prefix=MARKER
; RUN: not %opt -passes=kdiff -disable-output %t/moved-words.ll 2>&1 | FileCheck %t/moved-words.ll --check-prefix=MARKER
; RUN: not %opt -passes=kdiff -disable-output %t/assembly.ll 2>&1 | FileCheck %t/assembly.ll --check-prefix=MARKER

;--- dup-float.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define float @f(float %x) {
  ret float %x
}
; CHECK: error: {{.*}}argument 1 'x' of f cannot be 'kd_dup': it is passed by value, and its adjoint could not be stored; mark it kd_out (returned) or kd_acc
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, metadata !"kd_dup", float 1.0, float 1.0)
  ret void
}

;--- dup-int.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(i32 %n) {
  ret void
}
; CHECK: error: {{.*}}argument 1 'n' of f cannot be 'enzyme_dup': i32 has no derivative; mark it kd_const
define void @request() {
  call void (ptr, ...) @__kd_autodiff(ptr @f, metadata !"enzyme_dup", i32 1, i32 1)
  ret void
}

;--- out-pointer.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}argument 1 'x' of f cannot be 'kd_out': it is a pointer; mark it kd_dup
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, metadata !"kd_out", ptr %x)
  ret void
}

;--- acc-int.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define void @f(i32 %n) {
  ret void
}
; CHECK: error: {{.*}}argument 1 'n' of f cannot be 'kd_acc': i32 has no derivative
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, metadata !"kd_acc", i32 1, ptr %x)
  ret void
}

;--- acc-value.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
define float @f(float %x) {
  ret float %x
}
; CHECK: error: {{.*}}argument 1 'x' of f needs a shadow of type ptr, but the call gives float
define void @request() {
  call void (ptr, ...) @__kd_autodiff(ptr @f, metadata !"kd_acc", float 1.0, float 1.0)
  ret void
}

;--- out-forward.ll
target triple = "nvptx64-nvidia-cuda"
declare float @__kd_fwddiff(ptr, ...)
define float @f(float %x) {
  ret float %x
}
; CHECK: error: {{.*}}argument 1 'x' of f cannot be 'kd_out': forward mode has no adjoints; mark it kd_dup and give value and tangent
define float @request() {
  %r = call float (ptr, ...) @__kd_fwddiff(ptr @f, metadata !"kd_out", float 1.0)
  ret float %r
}

;--- aggregate.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, [2 x float])
define float @f([2 x float] %x) {
  %r = extractvalue [2 x float] %x, 0
  ret float %r
}
; CHECK: error: {{.*}}argument 1 'x' of f is an aggregate with floating-point members: pass it by pointer, or mark it kd_const
define void @request([2 x float] %x) {
  call void @__kd_autodiff(ptr @f, [2 x float] %x)
  ret void
}

;--- struct-copy.ll
target triple = "nvptx64-nvidia-cuda"
%S = type { ptr, float }
declare void @__kd_autodiff(ptr, ptr byval(%S), ptr byval(%S))
define void @f(ptr byval(%S) %s) {
  %p = load ptr, ptr %s
  store float 1.0, ptr %p
  ret void
}
; CHECK: error: {{.*}}argument 1 's' of f is a struct that may hold floating-point numbers, whose adjoints would be lost in a shadow passed by value: pass the shadow's address
define void @request(ptr %s, ptr %ds) {
  call void @__kd_autodiff(ptr @f, ptr byval(%S) %s, ptr byval(%S) %ds)
  ret void
}

;--- union-copy.ll
target triple = "nvptx64-nvidia-cuda"
%union.U = type { i32 }
%S = type { ptr, %union.U }
declare void @__kd_autodiff(ptr, ptr byval(%S), ptr byval(%S))
define void @f(ptr byval(%S) %s) {
  %p = load ptr, ptr %s
  store float 1.0, ptr %p
  ret void
}
define void @request(ptr %s, ptr %ds) {
  call void @__kd_autodiff(ptr @f, ptr byval(%S) %s, ptr byval(%S) %ds)
  ret void
}

;--- struct-for-pointer.ll
target triple = "nvptx64-nvidia-cuda"
%S = type { ptr, float }
declare void @__kd_autodiff(ptr, ptr byval(%S), ptr)
define void @f(ptr %s) {
  store float 1.0, ptr %s
  ret void
}
; CHECK: error: {{.*}}argument 1 's' of f has type ptr, but the call gives a struct by value
define void @request(ptr %s, ptr %ds) {
  call void @__kd_autodiff(ptr @f, ptr byval(%S) %s, ptr %ds)
  ret void
}

;--- unused-pointer.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
; MARKER: error: {{.*}}argument 1 'x' of f needs a marker: the function's code does not tell whether it leads to floating-point numbers (kd_dup) or not (kd_const)
define void @f(ptr %x) {
  ret void
}
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr %x, ptr %x)
  ret void
}

;--- bytes.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
; MARKER: error: {{.*}}argument 1 'x' of f needs a marker
define void @f(ptr %x, ptr %y) {
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %y, i64 16, i1 false)
  ret void
}
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr %x, ptr %x)
  ret void
}

;--- moved-words.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
; MARKER: error: {{.*}}argument 1 'x' of f needs a marker
define void @f(ptr %x, ptr %y) {
  %v = load <4 x i32>, ptr %x
  store <4 x i32> %v, ptr %y
  ret void
}
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr %x, ptr %x)
  ret void
}

;--- assembly.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr, ...)
; MARKER: error: {{.*}}argument 1 'x' of f needs a marker
define void @f(ptr %x) {
  %v = load i16, ptr %x
  %w = call i16 asm "{mul.f16 $0,$1,$2;}", "=h,h,h"(i16 %v, i16 %v)
  store i16 %w, ptr %x
  ret void
}
define void @request(ptr %x) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr %x, ptr %x)
  ret void
}
