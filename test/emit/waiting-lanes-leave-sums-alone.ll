; The adjoint of a sum that a loop carries is the same in all iterations, also
; where lanes wait for others: nothing is left of it in the reversed loop but
; what LLVM finds to be invariant, and the loop ends in its latch.
; RUN: %opt -passes='kdiff,function(sroa,instcombine,simplifycfg)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @request(
; CHECK: %[[SEED:.*]] = load float, ptr addrspace(1) %d.q
; CHECK: {{^}}rev.loop.i:
; CHECK-NEXT: fmul float %[[SEED]], 3.0
; CHECK: {{^}}rev.loop.loop.i:
; CHECK-NEXT: %[[COUNT:.*]] = phi i32
; CHECK-NEXT: icmp ugt i32 %[[COUNT]]
; CHECK-NOT: fadd
; CHECK: ret void
define ptx_kernel void @f(ptr noalias readonly %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %k = add i32 %i, %t
  %p = getelementptr float, ptr %x, i32 %k
  %v = load float, ptr %p
  %term = fmul float %v, 3.0
  %s.next = fadd float %s, %term
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %t
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr float, ptr %y, i32 %t
  store float %s.next, ptr %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seednoneed", ptr %y, ptr %dy, i32 7)
  ret void
}
