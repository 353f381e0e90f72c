; The shadow of a struct passed by value is memory that holds its shadow; a
; copy will do where nothing is written to it: in forward mode, or where the
; struct has pointers and integers only.
; RUN: %opt -passes='print<kdiff-request>' -disable-output %s 2>&1 | FileCheck %s

target triple = "nvptx64-nvidia-cuda"
%S = type { ptr, float }
%P = type { ptr, i32 }
declare void @__kd_autodiff.address(ptr, ptr byval(%S), ptr)
declare void @__kd_fwddiff.copy(ptr, ptr byval(%S), ptr byval(%S))
declare void @__kd_autodiff.pointers(ptr, ptr byval(%P), ptr byval(%P))

define void @f(ptr byval(%S) %s) {
  %p = load ptr, ptr %s
  store float 1.0, ptr %p
  ret void
}
define void @g(ptr byval(%P) %s) {
  %p = load ptr, ptr %s
  store float 1.0, ptr %p
  ret void
}

; CHECK: reverse of f
; CHECK-NEXT: 1 's' dup: ptr %s, shadow ptr %ds
; CHECK: forward of f
; CHECK-NEXT: 1 's' dup: ptr %s, shadow ptr %ds
; CHECK: reverse of g
; CHECK-NEXT: 1 's' dup: ptr %s, shadow ptr %ds
define void @request(ptr %s, ptr %ds) {
  call void @__kd_autodiff.address(ptr @f, ptr byval(%S) %s, ptr %ds)
  call void @__kd_fwddiff.copy(ptr @f, ptr byval(%S) %s, ptr byval(%S) %ds)
  call void @__kd_autodiff.pointers(ptr @g, ptr byval(%P) %s, ptr byval(%P) %ds)
  ret void
}
