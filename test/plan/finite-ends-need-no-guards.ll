; What is infinite or NaN stays so through sums, products and numerators. Where
; these lead from each product of a loop to what it ends with, a finite end
; shows that all factors were finite: the reversed loop has a version for that,
; whose products have no guard against 0 * infinity.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s --check-prefix=EMIT
; RUN: %opt -passes=kdiff -S %s | FileCheck %s --check-prefix=LOWER

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: loop %loop, {{.*}}, no guards if finite: %s.next, %r.next{{$}}

; EMIT-LABEL: define internal void @kdiff.grad.carried(
; EMIT: %[[SIZE:.*]] = call float @llvm.fabs.f32(float %s.next)
; EMIT: %[[NOT:.*]] = fcmp ueq float %[[SIZE]], 0x7FF0000000000000
; EMIT: %[[ANY:.*]] = call i32 @kd.warp.max(
; EMIT: %[[SOME:.*]] = icmp ne i32 %[[ANY]], 0
; EMIT: %[[DOUBT:.*]] = call i1 @kd.doubt(i1 %[[SOME]])
; EMIT: {{^}}rev.loop:
; EMIT: %[[ZERO:.*]] = fcmp oeq float %[[FACTOR:.*]], 0.0
; EMIT: %[[BOTH:.*]] = and i1 %[[DOUBT]], %[[ZERO]]
; EMIT: select i1 %[[BOTH]], float 0.0

; Two loops; one has guards.
; LOWER-LABEL: define void @request(
; LOWER-NOT: kd.doubt
; LOWER: br i1 %{{.*}}, label %[[CAREFUL:.*]].doubt, label
; LOWER: {{^}}rev.join.loop.i.doubt:
; LOWER: select i1 %{{.*}}, float 0.0
; LOWER: {{^}}done.i.split:
; LOWER-NOT: select i1 %{{.*}}, float 0.0
; LOWER: {{^}}kdiff.grad.carried.exit:
define void @carried(ptr noalias %x, ptr noalias %y, float %a, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  %r = phi float [ %v, %entry ], [ %r.next, %loop ]
  %square = fmul float %s, %r
  %scaled = fmul float %square, %a
  %s.next = fsub float %scaled, %s
  %other = fmul float %r, %r
  %tiny = fmul float %other, %a
  %r.next = fadd float %tiny, %r
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %sum = fadd float %s.next, %r.next
  store float %sum, ptr %y
  ret void
}

; A denominator, a select, and a branch that is not always taken hide it.
; CHECK-NOT: loop {{.*}}, no guards
define void @hidden(ptr noalias %x, ptr noalias %y, float %a, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi float [ %v, %entry ], [ %s.next, %latch ]
  %square = fmul float %s, %s
  %scaled = fmul float %square, %a
  %hidden = fdiv float %a, %scaled
  %cube = fmul float %hidden, %s
  %low = fcmp olt float %cube, 1.0
  %taken = select i1 %low, float %cube, float %a
  %odd = trunc i32 %i to i1
  br i1 %odd, label %then, label %latch
then:
  %fourth = fmul float %taken, %s
  br label %latch
latch:
  %s.next = phi float [ %taken, %loop ], [ %fourth, %then ]
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, float %a, i32 %n) {
  call void (...) @__kd_autodiff(ptr @carried, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", float %a, i32 %n)
  call void (...) @__kd_autodiff(ptr @hidden, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", float %a, i32 %n)
  ret void
}
