; The fields of one iteration lie by falling size, so that each is aligned
; without gaps; the elements of a vector are fields of their own.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: record of %loop: 24 bytes
; CHECK-NEXT: +0 8 %d
; CHECK-NEXT: +8 4 %v[0]
; CHECK-NEXT: +12 4 %v[1]
; CHECK-NEXT: +16 2 %h
; CHECK-NEXT: +18 1 %c bit 0
define ptx_kernel void @f(ptr %xh, ptr %xv, ptr %xd, ptr %yh, ptr %yv, ptr %yd, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %c = load i1, ptr %z
  %p = getelementptr half, ptr %xh, i32 %i
  %h = load half, ptr %p
  %v = load <2 x float>, ptr %xv
  %d = load double, ptr %xd
  %hh = fmul half %h, %h
  %vv = fmul <2 x float> %v, %v
  %dd = fmul double %d, %d
  %sel = select i1 %c, half %hh, half 0.0
  store half %sel, ptr %yh
  store <2 x float> %vv, ptr %yv
  store double %dd, ptr %yd
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %xh, ptr %dxh, ptr %xv, ptr %dxv, ptr %xd, ptr %dxd, ptr %yh, ptr %dyh, ptr %yv, ptr %dyv, ptr %yd, ptr %dyd, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %xh, ptr %dxh, metadata !"kd_dup", ptr %xv, ptr %dxv, metadata !"kd_dup", ptr %xd, ptr %dxd, metadata !"kd_dup", ptr %yh, ptr %dyh, metadata !"kd_dup", ptr %yv, ptr %dyv, metadata !"kd_dup", ptr %yd, ptr %dyd, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
