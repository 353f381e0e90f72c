; Split mode: the augmented primal keeps a tape, which the reverse sweep takes up
; with the same layout. The first touches no shadow, the second no primal memory
; but what nobody can change.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %opt -passes='print<kdiff-request>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=REQUEST

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; REQUEST: augmented primal of f in augment
; REQUEST: reverse sweep of f in reverse
; PLAN: tape: %v = load float, {{.*}}; its memory may be overwritten before the reverse launch
; PLAN: tape: %w = load float, {{.*}}; its memory may be overwritten before the reverse launch
; CHECK-LABEL: define internal float @kdiff.augmented.f(ptr %x, ptr %d.x, ptr %y, ptr %d.y, i32 %n, ptr %pool)
; CHECK: call void @kd.tape.begin(ptr %[[TAPE:.*]], ptr %pool)
; CHECK: call ptr addrspace(1) @kd.tape.push(
; CHECK-NOT: kd.accumulate
; CHECK: call void @kd.tape.suspend(ptr %[[TAPE]], i32 [[LAYOUT:[-0-9]+]])
; CHECK-NEXT: ret float %w
; CHECK-LABEL: define internal void @kdiff.reverse.f(
; CHECK-NOT: load float, ptr %{{[xy]}}
; CHECK-DAG: call void @kd.tape.resume(ptr %tape, ptr %pool, i32 [[LAYOUT]])
; CHECK-DAG: call void @kd.accumulate
; CHECK-DAG: call void @kd.tape.close(ptr %tape)
define float @f(ptr %x, ptr %y, i32 %n) {
entry:
  %w = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %r = fmul float %v, %v
  %s = fmul float %r, %w
  %o = getelementptr float, ptr %y, i32 %i
  store float %s, ptr %o
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret float %w
}

declare float @__kd_augment(...)
declare void @__kd_reverse(...)
define float @augment(ptr %tape, ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  %r = call float (...) @__kd_augment(ptr @f, ptr %tape, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret float %r
}
define void @reverse(ptr %tape, ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_reverse(ptr @f, ptr %tape, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
