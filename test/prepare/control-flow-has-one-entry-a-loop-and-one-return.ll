; Early returns meet in one block; a goto into a loop becomes a loop with a
; guard; a path that traps stays and does not return.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IR

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: prepared @early.kdiff: returns from [[R:%.*]]
; CHECK-NEXT: join [[R]]: i1 %idle of
; CHECK-NOT: not canonical
; IR-LABEL: define internal void @early.kdiff(
; IR: ret void
; IR-NOT: ret void
; IR: define
define ptx_kernel void @early(ptr %x, i1 %idle) {
  br i1 %idle, label %leave, label %work
leave:
  ret void
work:
  store float 1.0, ptr %x
  ret void
}

; CHECK-LABEL: prepared @into.kdiff
; CHECK-NEXT: loop
; CHECK-NEXT: exit
; CHECK-NEXT: join
; CHECK-NOT: {{loop|not canonical}}
define ptx_kernel void @into(ptr %x, i32 %n, i1 %c) {
entry:
  br i1 %c, label %mid, label %top
top:
  %i = phi i32 [ 0, %entry ], [ %i.next, %mid ]
  %p = getelementptr float, ptr %x, i32 %i
  store float 1.0, ptr %p
  br label %mid
mid:
  %k = phi i32 [ 0, %entry ], [ %i, %top ]
  %q = getelementptr float, ptr %x, i32 %k
  store float 2.0, ptr %q
  %i.next = add i32 %k, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %top, label %done
done:
  ret void
}

; CHECK-LABEL: prepared @traps.kdiff: returns from %good
; CHECK-NOT: {{join|not canonical}}
; IR-LABEL: define internal void @traps.kdiff(
; IR: call void @llvm.trap()
; IR-NEXT: unreachable
define ptx_kernel void @traps(ptr %x, i1 %c) {
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  store float 1.0, ptr %x
  ret void
}
declare void @llvm.trap()

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @early, ptr %x, ptr %dx, i1 true)
  call void (...) @__kd_autodiff(ptr @into, ptr %x, ptr %dx, i32 1, i1 true)
  call void (...) @__kd_autodiff(ptr @traps, ptr %x, ptr %dx, i1 true)
  ret void
}
