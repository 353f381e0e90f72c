; Sums that a loop scales anew wherever a maximum grows keep what the loop
; computed; a copy of the loop attaches derivatives that follow from the maximum
; at the end, so that the reverse sweep needs nothing of what the loop carried.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %opt -passes=kdiff -pass-remarks-analysis=kdiff -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @softmax.kdiff(
; CHECK: %raised = phi i32 [ -1,
; CHECK: %[[RAISES:.*]] = fcmp ogt float %s, %m
; CHECK: select i1 %[[RAISES]], i32 %{{.*}}, i32 %raised
; The results without derivatives.
; CHECK: %[[MOST:.*]] = call float @kd.attach.f32.f32(float %m.next.last, float %m.next.last, float 0.0
; CHECK: %[[TOTAL:.*]] = call float @kd.attach.f32.f32(float %[[L:.*]], float %[[L]], float 0.0
; CHECK: loop.again:
; CHECK: %[[STEP:.*]] = phi float [ %[[TOTAL]], %{{.*}} ], [ %[[NEXT:.*]], %
; CHECK: %[[S:.*]] = load float
; CHECK: %[[D:.*]] = fsub float %[[S]], %[[MOST]]
; CHECK: %[[W:.*]] = call float @llvm.exp.f32(float %[[D]])
; CHECK: %[[LAST:.*]] = icmp eq i32 %{{.*}}, %{{.*}}
; CHECK: %[[WHOLE:.*]] = select i1 %[[LAST]], float %[[TOTAL]], float 0.0
; CHECK: %[[SLOPE:.*]] = fsub float %[[W]], %[[WHOLE]]
; CHECK: %[[NEXT]] = call float @kd.attach.f32.f32(float %[[STEP]], float %[[S]], float %[[SLOPE]])
; CHECK-NOT: @llvm.maxnum
; CHECK: ret void

; PLAN-NOT: tape:
; PLAN-NOT: replay:
; PLAN: warp-uniform addition: %s.again

; REMARK: sums that follow this maximum get their derivatives by its last value: what the loop carried is not kept
; REMARK-NOT: sums that follow
define ptx_kernel void @softmax(ptr noalias readonly %scores, ptr noalias %y, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %m = phi float [ 0xFFF0000000000000, %entry ], [ %m.next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %total.next, %loop ]
  %p = getelementptr float, ptr %scores, i32 %i
  %s = load float, ptr %p
  %m.next = call float @llvm.maxnum.f32(float %m, float %s)
  %dm = fsub float %m, %m.next
  %shrink = call float @llvm.exp.f32(float %dm)
  %ds = fsub float %s, %m.next
  %weight = call float @llvm.exp.f32(float %ds)
  %old = fmul float %total, %shrink
  %total.next = fadd float %old, %weight
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %total.next, ptr %y
  ret void
}

; The maximum decides something else, too.
; CHECK-LABEL: define internal void @used_in_the_loop.kdiff(
; CHECK-NOT: @kd.attach
; CHECK: ret void
define ptx_kernel void @used_in_the_loop(ptr noalias readonly %scores, ptr noalias %y, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %m = phi float [ 0xFFF0000000000000, %entry ], [ %m.next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %total.next, %loop ]
  %p = getelementptr float, ptr %scores, i32 %i
  %s = load float, ptr %p
  %m.next = call float @llvm.maxnum.f32(float %m, float %s)
  %dm = fsub float %m, %m.next
  %shrink = call float @llvm.exp.f32(float %dm)
  %ds = fsub float %s, %m.next
  %weight = call float @llvm.exp.f32(float %ds)
  %old = fmul float %total, %shrink
  %new = fmul float %weight, %m.next
  %total.next = fadd float %old, %new
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %total.next, ptr %y
  ret void
}

; A loop that writes cannot be run again.
; CHECK-LABEL: define internal void @writes.kdiff(
; CHECK-NOT: @kd.attach
; CHECK: ret void
define ptx_kernel void @writes(ptr noalias readonly %scores, ptr noalias %y, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %m = phi float [ 0xFFF0000000000000, %entry ], [ %m.next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %total.next, %loop ]
  %p = getelementptr float, ptr %scores, i32 %i
  %s = load float, ptr %p
  %m.next = call float @llvm.maxnum.f32(float %m, float %s)
  %dm = fsub float %m, %m.next
  %shrink = call float @llvm.exp.f32(float %dm)
  %ds = fsub float %s, %m.next
  %weight = call float @llvm.exp.f32(float %ds)
  %old = fmul float %total, %shrink
  %total.next = fadd float %old, %weight
  %i.next = add nsw i32 %i, 1
  %q = getelementptr float, ptr %y, i32 %i.next
  store float %s, ptr %q
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %total.next, ptr %y
  ret void
}

declare float @llvm.maxnum.f32(float, float)
declare float @llvm.exp.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @softmax, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @used_in_the_loop, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @writes, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
