; What each iteration halves, shifts or doubles is a function of the iteration's
; number: it is neither taped nor run again. A quotient rounds towards zero.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=SHAPE

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: tape:
; CHECK-NOT: replay:
; CHECK: recompute: %half = select i1
; CHECK-NOT: tape:
; CHECK-NOT: replay:
; CHECK-NOT: record of

; SHAPE: {{^}}loop:
; SHAPE: %count = phi
; SHAPE-NOT: phi
; SHAPE: %[[MOST:.*]] = call i32 @llvm.umin.i32(i32 %count, i32 32)
; SHAPE: %[[GONE:.*]] = icmp uge i32 %{{.*}}, 32
; SHAPE: %[[BY:.*]] = call i32 @llvm.umin.i32(i32 %{{.*}}, i32 31)
; SHAPE: %[[SIGN:.*]] = ashr i32 %n, 31
; SHAPE: %[[BIAS:.*]] = and i32 %[[SIGN]], %{{.*}}
; SHAPE: %[[SUM:.*]] = add i32 %n, %[[BIAS]]
; SHAPE: %[[Q:.*]] = ashr i32 %[[SUM]], %[[BY]]
; SHAPE: %half = select i1 %[[GONE]], i32 0, i32 %[[Q]]
define ptx_kernel void @f(ptr noalias readonly %x, ptr noalias %y, i32 %n, i32 %trips) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %half = phi i32 [ %n, %entry ], [ %half.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %half
  %v = load float, ptr %p
  %w = fmul float %v, %v
  %q = getelementptr float, ptr %y, i32 %i
  store float %w, ptr %q
  %half.next = sdiv i32 %half, 2
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %trips
  br i1 %more, label %loop, label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n, i32 %trips) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n, i32 %trips)
  ret void
}
