; A loop of few trips goes, and the local array that it indexes with it. With
; `#pragma nounroll`, or many trips, it stays.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IR

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: prepared @small.kdiff
; CHECK-NOT: {{loop|not canonical}}
; CHECK-LABEL: prepared @unasked.kdiff
; CHECK-NEXT: loop
; CHECK-NEXT: exit %done after i32 3 back edges
; CHECK-NOT: not canonical
; CHECK-LABEL: prepared @large.kdiff
; CHECK-NEXT: loop
; CHECK-NEXT: exit %done after i32 999 back edges
; CHECK-NOT: not canonical
; IR-LABEL: define internal void @small.kdiff(
; IR-NOT: alloca
; IR: ret void
define ptx_kernel void @small(ptr %x) {
entry:
  %a = alloca [4 x float]
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %i.next, %fill ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %q = getelementptr [4 x float], ptr %a, i32 0, i32 %i
  store float %v, ptr %q
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, 4
  br i1 %more, label %fill, label %done
done:
  %last = getelementptr [4 x float], ptr %a, i32 0, i32 3
  %w = load float, ptr %last
  store float %w, ptr %x
  ret void
}
define ptx_kernel void @unasked(ptr %x) {
entry:
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %i.next, %fill ]
  %p = getelementptr float, ptr %x, i32 %i
  store float 1.0, ptr %p
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, 4
  br i1 %more, label %fill, label %done, !llvm.loop !0
done:
  ret void
}
define ptx_kernel void @large(ptr %x) {
entry:
  br label %fill
fill:
  %i = phi i32 [ 0, %entry ], [ %i.next, %fill ]
  %p = getelementptr float, ptr %x, i32 %i
  store float 1.0, ptr %p
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, 1000
  br i1 %more, label %fill, label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @small, ptr %x, ptr %dx)
  call void (...) @__kd_autodiff(ptr @unasked, ptr %x, ptr %dx)
  call void (...) @__kd_autodiff(ptr @large, ptr %x, ptr %dx)
  ret void
}
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.unroll.disable"}
