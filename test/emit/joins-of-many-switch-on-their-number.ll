; Three ways: their number is chosen in the forward sweep, and switched on in
; the reverse sweep.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.done:
; CHECK: switch i{{[0-9]+}} %{{.*}}, label %rev.edge.{{.*}} [
; CHECK-NEXT: i{{[0-9]+}} 1, label %rev.edge
; CHECK-NEXT: i{{[0-9]+}} 2, label %rev.edge
; CHECK-NEXT: ]
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  %v = load float, ptr %x
  switch i32 %n, label %other [ i32 1, label %one
                                i32 2, label %two ]
one:
  %v1 = fmul float %v, 3.0
  store i32 1, ptr %z
  br label %done
two:
  %v2 = fmul float %v, 5.0
  store i32 2, ptr %z
  br label %done
other:
  store i32 3, ptr %z
  br label %done
done:
  %r = phi float [ %v1, %one ], [ %v2, %two ], [ %v, %other ]
  store float %r, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
