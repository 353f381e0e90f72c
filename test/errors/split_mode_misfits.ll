; Split mode wants the tape behind the function, and returns what the half of the
; derivative returns.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/no-tape.ll 2>&1 | FileCheck %t/no-tape.ll
; RUN: not %opt -passes=kdiff -disable-output %t/marker.ll 2>&1 | FileCheck %t/marker.ll
; RUN: not %opt -passes=kdiff -disable-output %t/result.ll 2>&1 | FileCheck %t/result.ll

;--- no-tape.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_augment(...)
define void @f(float %v) {
  ret void
}
; CHECK: error: {{.*}}__kd_augment needs the tape behind the function: the address of a pool in device memory
define void @request(float %v) {
  call void (...) @__kd_augment(ptr @f, float %v)
  ret void
}

;--- marker.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_reverse(...)
define void @f(ptr %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}__kd_reverse needs the tape behind the function
define void @request(ptr %x) {
  call void (...) @__kd_reverse(ptr @f, metadata !"kd_dup", ptr %x, ptr %x)
  ret void
}

;--- result.ll
target triple = "nvptx64-nvidia-cuda"
declare i32 @__kd_augment(...)
define float @f(float %v) {
  ret float %v
}
; CHECK: error: {{.*}}the call returns i32, but the augmented primal returns what f does: float
define i32 @request(ptr %tape, float %v) {
  %r = call i32 (...) @__kd_augment(ptr @f, ptr %tape, float %v)
  ret i32 %r
}
