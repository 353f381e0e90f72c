; A loop counts in 32 bits where its trip count provably fits, and the number of
; back edges taken is an expression of its bounds.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IR

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: prepared @up.kdiff: returns from %done
; CHECK-NEXT: loop %head: preheader %head.preheader, latch %head.head_crit_edge, counter i32 %count
; CHECK-NEXT: exit %done.loopexit after i32 [[N:%.*]] back edges
; CHECK-NEXT: join %done: i1 %any of %entry.done_crit_edge %done.loopexit
; CHECK-NOT: {{join|not canonical}}
; IR-LABEL: define internal void @up.kdiff(
; IR: head.preheader:
; IR-NEXT: add i32 %n, -1
define ptx_kernel void @up(ptr %x, i32 %n) {
entry:
  %any = icmp sgt i32 %n, 0
  br i1 %any, label %head, label %done
head:
  %i = phi i32 [ 0, %entry ], [ %i.next, %head ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %w = fmul float %v, %v
  store float %w, ptr %p
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %head, label %done
done:
  ret void
}

; A start above the end wraps around: up to 2^32 - 1 back edges.
; CHECK-LABEL: prepared @wrap.kdiff
; CHECK-NEXT: loop {{.*}}, counter i64 %count
; CHECK-NEXT: exit %done after i64 [[N:%.*]] back edges
; CHECK-NOT: not canonical
; IR-LABEL: define internal void @wrap.kdiff(
; IR: [[M:%.*]] = sub i32 {{.*}}, %start
; IR: zext i32 [[M]] to i64
define ptx_kernel void @wrap(ptr %x, i32 %start, i32 %stop) {
entry:
  br label %head
head:
  %k = phi i32 [ %start, %entry ], [ %k.next, %head ]
  %m = and i32 %k, 7
  %p = getelementptr float, ptr %x, i32 %m
  %v = load float, ptr %p
  %w = fmul float %v, %v
  store float %w, ptr %p
  %k.next = add i32 %k, 1
  %last = icmp eq i32 %k.next, %stop
  br i1 %last, label %done, label %head
done:
  ret void
}

; Nobody knows the trip count of an iteration to convergence: it is counted.
; CHECK-LABEL: prepared @until.kdiff
; CHECK-NEXT: loop {{.*}}, counter i64 %count
; CHECK-NEXT: exit %done after i64 %backedges back edges
; CHECK-NOT: not canonical
; IR-LABEL: define internal void @until.kdiff(
; IR: done:
; IR-NEXT: %backedges = phi i64 [ %count, %head ]
define ptx_kernel void @until(ptr %x, float %eps) {
entry:
  %v = load float, ptr %x
  br label %head
head:
  %r = phi float [ %v, %entry ], [ %r.next, %head ]
  %r.next = fmul float %r, %r
  %more = fcmp ogt float %r.next, %eps
  br i1 %more, label %head, label %done
done:
  store float %r.next, ptr %x
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @up, ptr %x, ptr %dx, i32 1)
  call void (...) @__kd_autodiff(ptr @wrap, ptr %x, ptr %dx, i32 1, i32 2)
  call void (...) @__kd_autodiff(ptr @until, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", float 1.0)
  ret void
}
