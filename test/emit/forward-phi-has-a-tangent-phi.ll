; In forward mode the tangents take the same way: a phi of tangents beside the
; phi, zero where the value is a constant. No tape, no reverse sweep.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.tangent.f(
; CHECK: %t.s = phi float [ 0.000000e+00, %entry ], [ %[[NEXT:.*]], %{{.*}} ]
; CHECK-NEXT: %s = phi float [ 1.000000e+00, %entry ], [ %s.next, %{{.*}} ]
; CHECK: %[[DV:.*]] = load float, ptr addrspace(1) %d.p
; CHECK: %s.next = fadd float %s, %v
; CHECK: %[[NEXT]] = fadd float %t.s, %[[DV]]
; CHECK: store float %s.next{{.*}}, ptr addrspace(1) %y.global
; CHECK: store float %{{.*}}, ptr addrspace(1) %d.y.global
; CHECK-NOT: {{kd.tape|rev[.]}}
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 1.0, %entry ], [ %s.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %s.next = fadd float %s, %v
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

declare void @__kd_fwddiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_fwddiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
