; An integer read where floating point lies carries its bits, also two of them
; in one 64-bit move; an integer read where none lies does not.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: activity of kdiff.grad.f:
; CHECK: active %bits = load i32
; CHECK-NOT: active %index
; CHECK: active %pair = load i64
; CHECK-NEXT: active %low = trunc i64 %pair to i32
; CHECK-NEXT: active %[[BOTH:.*]] = bitcast i64 %pair to <2 x float>
; CHECK-NEXT: active %{{.*}} = extractelement <2 x float> %[[BOTH]], i64 1
; CHECK-NOT: active
define ptx_kernel void @f(ptr %x, ptr %y, ptr %n) {
  %bits = load i32, ptr %x
  store i32 %bits, ptr %y
  %index = load i32, ptr %n
  store i32 %index, ptr %n
  %q = getelementptr i8, ptr %x, i32 8
  %pair = load i64, ptr %q
  %low = trunc i64 %pair to i32
  %shifted = lshr i64 %pair, 32
  %high = trunc i64 %shifted to i32
  %high.float = bitcast i32 %high to float
  %q1 = getelementptr i8, ptr %y, i32 4
  store float %high.float, ptr %q1
  %q2 = getelementptr i8, ptr %y, i32 8
  store i32 %low, ptr %q2
  call void @asFloats(ptr %x, ptr %y)
  ret void
}
; These accesses tell what lies there.
define internal void @asFloats(ptr %x, ptr %y) {
  %p = getelementptr float, ptr %x, i32 16
  store float 0.0, ptr %p
  %v = getelementptr [4 x float], ptr %x, i32 0, i32 0
  store float 1.0, ptr %v
  %p2 = getelementptr i8, ptr %x, i32 8
  store <2 x float> zeroinitializer, ptr %p2
  store <4 x float> zeroinitializer, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %n, ptr %dn) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_dup", ptr %n, ptr %dn)
  ret void
}
