; A record is pushed on the back edge and on every exit, and popped when the
; reverse sweep enters that iteration; the reverse sweep is skipped, and the
; tape closed, where the tape was exhausted.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: call void @kd.tape.open(
; CHECK-COUNT-2: call ptr addrspace(1) @kd.tape.push(ptr %tape, i32 8)
; CHECK: %[[EXHAUSTED:.*]] = call i1 @kd.tape.exhausted(ptr %tape)
; CHECK: br i1 %[[EXHAUSTED]], label %[[END:.*]], label %rev.clear
; CHECK-COUNT-2: call ptr addrspace(1) @kd.tape.pop(ptr %tape, i32 8)
; CHECK: {{^}}[[END]]:
; CHECK-NEXT: call void @kd.tape.close(ptr %tape)
; CHECK-NEXT: ret void
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %r = fmul float %v, %v
  %o = getelementptr float, ptr %y, i32 %i
  store float %r, ptr %o
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
