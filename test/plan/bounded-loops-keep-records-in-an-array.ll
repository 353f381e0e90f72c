; Records of a loop with a small bound are kept in an array of the thread, with
; a place for each iteration: no tape, no pool.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; PLAN: record of %loop: 8 bytes, 32 in a local array

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK-NOT: kd.tape
; CHECK: %records = alloca [256 x i8]
; CHECK: getelementptr inbounds [8 x i8], ptr %records
; CHECK: {{^}}rev.
; CHECK: getelementptr inbounds [8 x i8], ptr %records
; CHECK-NOT: kd.tape
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  %most = call i32 @llvm.umin.i32(i32 %n, i32 32)
  %none = icmp eq i32 %most, 0
  br i1 %none, label %done, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %r = fmul float %v, %v
  %o = getelementptr float, ptr %y, i32 %i
  store float %r, ptr %o
  %i.next = add nuw nsw i32 %i, 1
  %more = icmp ult i32 %i.next, %most
  br i1 %more, label %loop, label %done
done:
  ret void
}
declare i32 @llvm.umin.i32(i32, i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
