; A loop with a break has two exits: the bound's count is computed, the break's
; is counted. A break out of two loops counts both.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: prepared @breaks.kdiff
; CHECK-NEXT: loop %head: {{.*}} counter i32 %count
; CHECK-DAG: exit %{{.*}} after i32 %backedges back edges
; CHECK-DAG: exit %{{.*}} after i32 %{{[0-9]+}} back edges
; CHECK: join %done: i1 %ran of
; CHECK-NOT: not canonical
define ptx_kernel void @breaks(ptr %x, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %big = fcmp ogt float %v, 1.0
  br i1 %big, label %done, label %latch
latch:
  store float 0.0, ptr %p
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %head, label %done
done:
  ret void
}

; CHECK-LABEL: prepared @two.kdiff
; CHECK-NEXT: loop %outer:
; CHECK-NEXT: exit [[OUT:%.*]] after i32 %[[B:backedges[0-9]*]] back edges
; CHECK-NEXT: exit
; CHECK-NEXT: loop %inner:
; CHECK-DAG: exit [[OUT]] after i32 %{{backedges[0-9]*}} back edges
; CHECK-DAG: exit %latch after i32
; CHECK-NOT: not canonical
define ptx_kernel void @two(ptr %x, i32 %n) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner.latch ]
  %p = getelementptr float, ptr %x, i32 %j
  %v = load float, ptr %p
  %big = fcmp ogt float %v, 1.0
  br i1 %big, label %done, label %inner.latch
inner.latch:
  store float 0.0, ptr %p
  %j.next = add nsw i32 %j, 1
  %more.j = icmp slt i32 %j.next, %n
  br i1 %more.j, label %inner, label %latch
latch:
  %i.next = add nsw i32 %i, 1
  %more.i = icmp slt i32 %i.next, %n
  br i1 %more.i, label %outer, label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @breaks, ptr %x, ptr %dx, i32 1)
  call void (...) @__kd_autodiff(ptr @two, ptr %x, ptr %dx, i32 1)
  ret void
}
