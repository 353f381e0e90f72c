; A lane whose last iteration is further down goes past the iterations of the
; others: the loop starts at the largest trip count of the warp. All lanes meet
; before the loop ends for all of them; what is carried to the iteration before
; is untouched in a lane that waits.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; PLAN: loop %loop, lanes join late

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: %[[MOST:.*]] = call i32 @kd.warp.max(i32 %[[LAST:.*]])
; CHECK: br label %rev.loop.loop
; CHECK: {{^}}rev.loop:
; CHECK-NOT: br i1
; CHECK: br label %rev.next.loop
; CHECK: {{^}}rev.loop.loop:
; CHECK: %[[CARRIED:.*]] = phi float [ %{{.*}}, %{{.*}} ], [ %[[MET:.*]], %rev.back.loop ]
; CHECK: %[[COUNT:.*]] = phi i32 [ %[[MOST]], %{{.*}} ], [ %[[NEXT:.*]], %rev.back.loop ]
; CHECK: %[[WAITS:.*]] = icmp ugt i32 %[[COUNT]], %[[LAST]]
; CHECK: br i1 %[[WAITS]], label %rev.next.loop, label %rev.join.loop
; CHECK: {{^}}rev.next.loop:
; CHECK: %[[MET]] = phi float [ %[[CARRIED]], %rev.loop.loop ], [ %{{.*}}, %rev.loop ]
; CHECK: icmp eq i32 %[[COUNT]], 0
; CHECK: %[[NEXT]] = sub i32 %[[COUNT]], 1
; CHECK: br i1 %{{.*}}, label %rev.out.loop, label %rev.back.loop
; CHECK: {{^}}rev.back.loop:
; CHECK-NEXT: br label %rev.loop.loop

; With a width of 2 the adjoints of both seeds wait.
; CHECK-LABEL: define internal void @kdiff.grad.f{{[0-9]+}}(
; CHECK: {{^}}rev.next.loop:
; CHECK: phi float [ %{{.*}}, %rev.loop.loop ], [ %{{.*}}, %rev.loop ]
; CHECK: phi float [ %{{.*}}, %rev.loop.loop ], [ %{{.*}}, %rev.loop ]
; CHECK: icmp eq i32
define ptx_kernel void @f(ptr noalias readonly %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %p
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  %s.next = fmul float %s, 3.0
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %t
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 2, metadata !"kd_dup", ptr %x, ptr %dx, ptr %z, metadata !"kd_dup", ptr %y, ptr %dy, ptr %z, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
