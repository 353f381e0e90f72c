; Integers and pointers that a loop steps are start + count * step.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IR

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; IR-LABEL: define internal void @down.kdiff(
; IR: %count = phi i32
; IR-NEXT: [[D:%.*]] = mul i32 %count, -2
; IR-NEXT: %i = add i32 %n, [[D]]
; IR-NOT: phi i32
define ptx_kernel void @down(ptr %x, i32 %n) {
entry:
  br label %head
head:
  %i = phi i32 [ %n, %entry ], [ %i.next, %head ]
  %p = getelementptr float, ptr %x, i32 %i
  store float 1.0, ptr %p
  %i.next = sub nsw i32 %i, 2
  %more = icmp sgt i32 %i.next, 0
  br i1 %more, label %head, label %done
done:
  ret void
}

; IR-LABEL: define internal void @pointer.kdiff(
; IR: %count = phi i64
; IR-NEXT: [[D:%.*]] = mul i64 %count, 12
; IR-NEXT: %p = getelementptr i8, ptr {{.*}}, i64 [[D]]
; IR-NOT: phi ptr
define ptx_kernel void @pointer(ptr %x, ptr %end) {
entry:
  br label %head
head:
  %p = phi ptr [ %x, %entry ], [ %p.next, %head ]
  store float 1.0, ptr %p
  %p.next = getelementptr float, ptr %p, i64 3
  %last = icmp eq ptr %p.next, %end
  br i1 %last, label %done, label %head
done:
  ret void
}

; The inner loop starts where the outer one is; both step by an argument.
; IR-LABEL: define internal void @nested.kdiff(
; IR: %count = phi i64
; IR-NEXT: [[C:%.*]] = trunc i64 %count to i32
; IR-NEXT: [[D:%.*]] = mul i32 [[C]], %step
; IR: inner:
; IR-NEXT: %[[C2:count.*]] = phi i64
; IR-NEXT: [[T:%.*]] = trunc i64 %[[C2]] to i32
; IR-NEXT: [[D2:%.*]] = mul i32 [[T]], %step
; IR-NEXT: %j = add i32 [[D]], [[D2]]
; IR-NOT: phi i32
define ptx_kernel void @nested(ptr %x, i32 %n, i32 %step) {
entry:
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  br label %inner
inner:
  %j = phi i32 [ %i, %outer ], [ %j.next, %inner ]
  %p = getelementptr float, ptr %x, i32 %j
  store float 1.0, ptr %p
  %j.next = add i32 %j, %step
  %more.j = icmp ult i32 %j.next, %n
  br i1 %more.j, label %inner, label %latch
latch:
  %i.next = add i32 %i, %step
  %more.i = icmp ult i32 %i.next, %n
  br i1 %more.i, label %outer, label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @down, ptr %x, ptr %dx, i32 1)
  call void (...) @__kd_autodiff(ptr @pointer, ptr %x, ptr %dx, metadata !"kd_const", ptr %x)
  call void (...) @__kd_autodiff(ptr @nested, ptr %x, ptr %dx, i32 1, i32 2)
  ret void
}
