; __kd_checkpoint(k) in a loop: k snapshots of what it carries, in an array, and
; no tape. The first loop's trip count is known before it; the second one's is
; not. The mark is gone from the derivative.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s --check-prefix=EMIT
; RUN: %opt -passes=kdiff -S %s | FileCheck %s --check-prefix=LOWER

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: tape:
; CHECK: loop %known{{.*}}, checkpoint every 8 iterations, unrolled, 5 snapshots, trip count known
; CHECK: loop %counted{{.*}}, checkpoint every 8 iterations, unrolled{{.*}}, 7 snapshots, trip count unknown
; CHECK: record of %known: 8 bytes, 5 in a local array
; CHECK: record of %counted: 8 bytes, 7 in a local array

; EMIT-LABEL: define internal void @kdiff.grad.f(
; EMIT-NOT: __kd_checkpoint
; EMIT-NOT: @kd.tape
; EMIT: {{^}}known:
; EMIT: icmp eq i32 %count, %snapshot.due
; EMIT: call i32 @kd.checkpoint.distance(i32 %{{.*}}, i32 %{{.*}})
; EMIT: {{^}}counted:
; EMIT-NOT: @kd.checkpoint.distance
; EMIT: {{^}}rev.
; EMIT: {{^}}rev.drop.known:
; EMIT: icmp ugt i32 %{{.*}}, %first
; EMIT: {{^}}rev.forth.known:
; EMIT: call i32 @kd.checkpoint.distance(
; EMIT: {{^}}rev.on.step.known:
; EMIT: call float @llvm.sin.f32

; LOWER-NOT: @kd.
; LOWER: call {{.*}}i32 @__kd_checkpoint_distance(
define ptx_kernel void @f(ptr noalias readonly %x, ptr noalias readonly %stop, ptr noalias %y, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %known
known:
  %i = phi i32 [ 0, %entry ], [ %i.next, %known ]
  %s = phi float [ %v, %entry ], [ %s.next, %known ]
  call void @__kd_checkpoint(i32 5)
  %sine = call float @llvm.sin.f32(float %s)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %known, label %between
between:
  %w = phi float [ %s.next, %known ]
  br label %counted
counted:
  %j = phi i32 [ 0, %between ], [ %j.next, %counted ]
  %r = phi float [ %w, %between ], [ %r.next, %counted ]
  call void @__kd_checkpoint(i32 7)
  %cosine = call float @llvm.cos.f32(float %r)
  %r.next = fmul float %r, %cosine
  %j.next = add nsw i32 %j, 1
  %at = getelementptr i32, ptr %stop, i32 %j
  %stops = load i32, ptr %at
  %on = icmp eq i32 %stops, 0
  br i1 %on, label %counted, label %done
done:
  store float %r.next, ptr %y
  ret void
}
declare float @llvm.sin.f32(float)
declare float @llvm.cos.f32(float)
define internal void @__kd_checkpoint(i32) {
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %stop, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", ptr %stop, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
