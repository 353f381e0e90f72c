; A kernel's struct argument comes by value behind a pointer. Its shadow is a
; struct with the shadow pointers at the same places.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK-SAME: ptr {{.*}}%s, ptr {{[^,]*}}%d.s)
; CHECK: %px = getelementptr {{.*}} %s{{.*}}, i{{32|64}} 8
; CHECK-NEXT: %d.px = getelementptr {{.*}} %d.s{{.*}}, i{{32|64}} 8
; CHECK: %x = load ptr, ptr {{.*}}%px
; CHECK-NEXT: %d.x = load ptr, ptr {{.*}}%d.px
%struct.S = type { i32, ptr, ptr }
define ptx_kernel void @f(ptr byval(%struct.S) align 8 %s) {
  %px = getelementptr i8, ptr %s, i32 8
  %x = load ptr, ptr %px
  %py = getelementptr i8, ptr %s, i32 16
  %y = load ptr, ptr %py
  %n = load i32, ptr %s
  %p = getelementptr float, ptr %x, i32 %n
  %v = load float, ptr %p
  %r = fmul float %v, %v
  store float %r, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr byval(%struct.S) %s, ptr byval(%struct.S) %ds) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr byval(%struct.S) %s, ptr byval(%struct.S) %ds)
  ret void
}
