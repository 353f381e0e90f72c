; kd_tape and kd_facts stand behind the function, each with what it needs.
; RUN: split-file %s %t
; RUN: cat %t/module.ll %t/small.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/small.ll
; RUN: cat %t/module.ll %t/declared.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/declared.ll
; RUN: cat %t/module.ll %t/nothing.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/nothing.ll
; RUN: cat %t/module.ll %t/nopool.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/nopool.ll
; RUN: cat %t/module.ll %t/forward.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/forward.ll
; RUN: cat %t/module.ll %t/late.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/late.ll

;--- module.ll
target triple = "nvptx64-nvidia-cuda"

@kd_dup = external global i32
@kd_facts = external global i32
@kd_tape = external global i32
@small = global i32 0
@declared = external global { i32, i32, i64, [64 x i8] }
declare void @__kd_autodiff(ptr, ...)
declare void @__kd_fwddiff(ptr, ...)

define void @f(ptr %x) {
  %v = load double, ptr %x
  %m = fmul double %v, %v
  store double %m, ptr %x
  ret void
}
;--- small.ll
; CHECK: error: {{.*}}'kd_facts' needs the address of a __device__ kdiff::KernelFacts behind it
define void @k(ptr %x, ptr %dx) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr @kd_facts, ptr @small, ptr @kd_dup, ptr %x, ptr %dx)
  ret void
}
;--- declared.ll
; CHECK: error: {{.*}}'kd_facts' needs the address of a __device__ kdiff::KernelFacts behind it
define void @k(ptr %x, ptr %dx) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr @kd_facts, ptr @declared, ptr @kd_dup, ptr %x, ptr %dx)
  ret void
}
;--- nothing.ll
; CHECK: error: {{.*}}'kd_facts' needs the address of a __device__ kdiff::KernelFacts behind it
define void @k(ptr %x, ptr %dx) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr @kd_facts)
  ret void
}
;--- nopool.ll
; CHECK: error: {{.*}}'kd_tape' needs the address of a pool in device memory behind it
define void @k(ptr %x, ptr %dx) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr @kd_tape, ptr @kd_dup, ptr %x, ptr %dx)
  ret void
}
;--- forward.ll
; CHECK: error: {{.*}}'kd_tape' is for __kd_autodiff alone
define void @k(ptr %x, ptr %dx) {
  call void (ptr, ...) @__kd_fwddiff(ptr @f, ptr @kd_tape, ptr %dx, ptr @kd_dup, ptr %x, ptr %dx)
  ret void
}
;--- late.ll
; CHECK: error: {{.*}}argument 1 'x' of f has 'kd_facts' before it, which stands behind the request's function
define void @k(ptr %x, ptr %dx) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr @kd_dup, ptr @kd_facts, ptr @declared, ptr %x, ptr %dx)
  ret void
}
