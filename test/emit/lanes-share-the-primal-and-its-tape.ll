; With a width of 2 the primal runs once, its tape holds what it holds for one
; lane, and both lanes' adjoints are multiplied by the same partial.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: call double @__nv_sin(
; CHECK: kd.tape.push(ptr %{{.*}}, i32 8)
; CHECK-NOT: call double @__nv_sin(
; CHECK: kd.tape.pop(ptr %{{.*}}, i32 8)
; CHECK: %[[COS:.*]] = call double @__nv_cos(
; CHECK-NOT: call double @__nv_cos(
; CHECK: %[[GUARDED:.*]] = select i1 %{{.*}}, double 0.0{{.*}}, double %[[COS]]
; CHECK: fmul double %{{.*}}, %[[GUARDED]]
; CHECK: %[[GUARDED2:.*]] = select i1 %{{.*}}, double 0.0{{.*}}, double %[[COS]]
; CHECK: fmul double %{{.*}}, %[[GUARDED2]]
; CHECK-NOT: call double @__nv_cos(
define ptx_kernel void @f(ptr %x, i32 %n) {
  br label %loop
loop:
  %i = phi i32 [ 0, %0 ], [ %j, %loop ]
  %v = load double, ptr %x
  %s = call double @__nv_sin(double %v)
  store double %s, ptr %x
  %j = add i32 %i, 1
  %more = icmp slt i32 %j, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare double @__nv_sin(double)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %dx2) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 2, metadata !"kd_dup", ptr %x, ptr %dx, ptr %dx2, i32 7)
  ret void
}
