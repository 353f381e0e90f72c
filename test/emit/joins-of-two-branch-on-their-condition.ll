; Where two ways met, the reverse sweep goes back the one that the primal came,
; by the condition that chose it; the phi's adjoint goes to that way's value.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.done:
; CHECK: br i1 %c, label %[[THEN:.*]], label %[[ELSE:.*]]
; CHECK: {{^}}rev.then:
; CHECK: call void @kd.accumulate.f32.p1(ptr addrspace(1) %d.x.global, float %{{.*}},
; CHECK: {{^}}[[THEN]]:
; CHECK-NEXT: fadd
; CHECK-NEXT: br label %rev.then
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  %c = icmp sgt i32 %n, 3
  br i1 %c, label %then, label %done
then:
  %v = load float, ptr %x
  br label %done
done:
  %r = phi float [ 0.0, %entry ], [ %v, %then ]
  store float %r, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
