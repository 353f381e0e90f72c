; A loop that adds words which its lanes share, at addresses that move by a
; constant, makes the sums of several iterations together: of as many as one
; exchange of 32 words holds, up to eight. Not where lanes make other numbers of
; iterations, where the address does not move by a constant, or where adjoints in
; memory are read in between.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=kdiff -pass-remarks-analysis=kdiff -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; REMARK: the lanes' sums of 8 iterations are made at once
; REMARK: the lanes' sums of 4 iterations are made at once
; REMARK-NOT: are made at once

; CHECK: warp-uniform addition: %a = load float
; CHECK: warp-uniform addition with %a: %b = load float
; CHECK: loop %loop, sums of 8 iterations at once
define ptx_kernel void @two(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %tid
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %a = load float, ptr %p
  %q = getelementptr float, ptr %p, i32 1000
  %b = load float, ptr %q
  %ab = fmul float %a, %b
  %s1 = fadd float %s, %ab
  %i1 = add nsw i32 %i, 1
  %ic = icmp slt i32 %i1, %n
  br i1 %ic, label %loop, label %exit
exit:
  store float %s1, ptr %o
  ret void
}

; CHECK: loop %loop, sums of 4 iterations at once
define ptx_kernel void @five(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %tid
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]
  %five = mul nsw i32 %i, 5
  %p = getelementptr float, ptr %x, i32 %five
  %a = load float, ptr %p
  %q1 = getelementptr float, ptr %p, i32 1
  %b = load float, ptr %q1
  %q2 = getelementptr float, ptr %p, i32 2
  %c = load float, ptr %q2
  %q3 = getelementptr float, ptr %p, i32 3
  %d = load float, ptr %q3
  %q4 = getelementptr float, ptr %p, i32 4
  %e = load float, ptr %q4
  %ab = fmul float %a, %b
  %cd = fmul float %c, %d
  %abcd = fmul float %ab, %cd
  %all = fmul float %abcd, %e
  %s1 = fadd float %s, %all
  %i1 = add nsw i32 %i, 1
  %ic = icmp slt i32 %i1, %n
  br i1 %ic, label %loop, label %exit
exit:
  store float %s1, ptr %o
  ret void
}

; CHECK: warp-uniform addition: %v = load float
; CHECK-NOT: at once
define ptx_kernel void @gathered(ptr noalias %x, ptr noalias %at, ptr noalias %y, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %tid
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]
  %pk = getelementptr i32, ptr %at, i32 %i
  %k = load i32, ptr %pk
  %p = getelementptr float, ptr %x, i32 %k
  %v = load float, ptr %p
  %vv = fmul float %v, %v
  %s1 = fadd float %s, %vv
  %i1 = add nsw i32 %i, 1
  %ic = icmp slt i32 %i1, %n
  br i1 %ic, label %loop, label %exit
exit:
  store float %s1, ptr %o
  ret void
}

; CHECK: warp-uniform addition: %u = load float
; CHECK-NOT: at once
; CHECK: loop %loop, lanes join late
define ptx_kernel void @uneven(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %tid
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %u = load float, ptr %p
  %uu = fmul float %u, %u
  %s1 = fadd float %s, %uu
  %i1 = add nsw i32 %i, 1
  %ic = icmp slt i32 %i1, %tid
  br i1 %ic, label %loop, label %exit
exit:
  store float %s1, ptr %o
  ret void
}

; CHECK: warp-uniform addition: %w = load float
; CHECK-NOT: at once
define ptx_kernel void @stored(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %w = load float, ptr %p
  %ww = fmul float %w, %w
  %o = getelementptr float, ptr %y, i32 %i
  store float %ww, ptr %o
  %i1 = add nsw i32 %i, 1
  %ic = icmp slt i32 %i1, %n
  br i1 %ic, label %loop, label %exit
exit:
  ret void
}

define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %at) {
  call void (...) @__kd_autodiff(ptr @two, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  call void (...) @__kd_autodiff(ptr @five, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  call void (...) @__kd_autodiff(ptr @gathered, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", ptr %at, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  call void (...) @__kd_autodiff(ptr @uneven, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  call void (...) @__kd_autodiff(ptr @stored, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @__kd_autodiff(...)
