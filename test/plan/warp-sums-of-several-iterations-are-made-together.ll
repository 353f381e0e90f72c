; A loop that sums over the warp in each iteration makes the sums of eight
; iterations together, in both sweeps. Not where a sum depends on that of the
; iteration before, where not all lanes take part or not all are summed, where an
; iteration may go another way, where there are no more iterations than that, and
; where a request has so many lanes that their adjoints are too many.
; RUN: split-file %s %t
; RUN: cat %t/common.ll %t/together.ll | %opt -passes='print<kdiff-plan>' -disable-output 2>&1 | FileCheck %s
; RUN: cat %t/common.ll %t/together.ll | %opt -passes='kdiff<stop-after=emit>' -S | FileCheck %s --check-prefix=EMIT
; RUN: cat %t/common.ll %t/together.ll | %opt -passes=kdiff -pass-remarks-analysis=kdiff -disable-output 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: cat %t/common.ll %t/alone.ll | %opt -passes='print<kdiff-plan>' -disable-output 2>&1 | FileCheck %s --check-prefix=ALONE --implicit-check-not=together

; CHECK: loop %loop, warp sums of 8 iterations together
; The backedges of both sweeps.
; EMIT: br {{.*}}, !llvm.loop ![[FORWARD:.*]]
; EMIT: br {{.*}}, !llvm.loop ![[BACK:.*]]
; EMIT: ![[FORWARD]] = distinct !{![[FORWARD]], ![[EIGHT:.*]]}
; EMIT: ![[EIGHT]] = !{!"kdiff.together", i32 8}
; EMIT: ![[BACK]] = distinct !{![[BACK]], ![[EIGHT]]}
; REMARK: the warp's sums of 8 iterations are made together, and what is computed from them by a lane for each
; ALONE-COUNT-6: contended addition: %a = load float

;--- common.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__kd_autodiff(...)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
define internal float @sum(float %v, i32 %mask, i32 %first) alwaysinline {
  %a = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 %mask, float %v, i32 %first, i32 31)
  %a1 = fadd float %v, %a
  %b = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 %mask, float %a1, i32 8, i32 31)
  %b1 = fadd float %a1, %b
  %c = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 %mask, float %b1, i32 4, i32 31)
  %c1 = fadd float %b1, %c
  %d = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 %mask, float %c1, i32 2, i32 31)
  %d1 = fadd float %c1, %d
  %e = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 %mask, float %d1, i32 1, i32 31)
  %e1 = fadd float %d1, %e
  ret float %e1
}

;--- together.ll
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 1.0, %entry ], [ %s1, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr %x, i32 %at
  %a = load float, ptr %p
  %v = fmul float %a, %a
  %sum = call float @sum(float %v, i32 -1, i32 16)
  %square = fmul float %sum, %sum
  %s1 = fadd float %s, %square
  %i1 = add nuw nsw i32 %i, 1
  %ic = icmp ult i32 %i1, %n
  br i1 %ic, label %loop, label %exit
exit:
  store float %s1, ptr %o
  ret void
}
define ptx_kernel void @request.f(ptr noalias %x, ptr %dx, ptr noalias %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

;--- alone.ll
define ptx_kernel void @carried(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 1.0, %entry ], [ %s1, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr %x, i32 %at
  %a = load float, ptr %p
  %v = fmul float %a, %s
  %sum = call float @sum(float %v, i32 -1, i32 16)
  %square = fmul float %sum, %sum
  %s1 = fadd float %s, %square
  %i1 = add nuw nsw i32 %i, 1
  %ic = icmp ult i32 %i1, %n
  br i1 %ic, label %loop, label %exit
exit:
  store float %s1, ptr %o
  ret void
}
define ptx_kernel void @request.carried(ptr noalias %x, ptr %dx, ptr noalias %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @carried, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

define ptx_kernel void @some(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 1.0, %entry ], [ %s1, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr %x, i32 %at
  %a = load float, ptr %p
  %v = fmul float %a, %a
  %sum = call float @sum(float %v, i32 65535, i32 16)
  %square = fmul float %sum, %sum
  %s1 = fadd float %s, %square
  %i1 = add nuw nsw i32 %i, 1
  %ic = icmp ult i32 %i1, %n
  br i1 %ic, label %loop, label %exit
exit:
  store float %s1, ptr %o
  ret void
}
define ptx_kernel void @request.some(ptr noalias %x, ptr %dx, ptr noalias %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @some, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

define ptx_kernel void @half(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 1.0, %entry ], [ %s1, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr %x, i32 %at
  %a = load float, ptr %p
  %v = fmul float %a, %a
  %sum = call float @sum(float %v, i32 -1, i32 8)
  %square = fmul float %sum, %sum
  %s1 = fadd float %s, %square
  %i1 = add nuw nsw i32 %i, 1
  %ic = icmp ult i32 %i1, %n
  br i1 %ic, label %loop, label %exit
exit:
  store float %s1, ptr %o
  ret void
}
define ptx_kernel void @request.half(ptr noalias %x, ptr %dx, ptr noalias %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @half, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

declare float @__nv_expf(float)
define ptx_kernel void @branch(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %next ]
  %s = phi float [ 0.0, %entry ], [ %s1, %next ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr %x, i32 %at
  %a = load float, ptr %p
  %sum = call float @sum(float %a, i32 -1, i32 16)
  %c = fcmp ogt float %a, 1.0
  br i1 %c, label %large, label %next
large:
  %exp = call float @__nv_expf(float %sum)
  br label %next
next:
  %more = phi float [ %sum, %loop ], [ %exp, %large ]
  %s1 = fadd float %s, %more
  %i1 = add nuw nsw i32 %i, 1
  %ic = icmp ult i32 %i1, %n
  br i1 %ic, label %loop, label %exit
exit:
  store float %s1, ptr %o
  ret void
}
define ptx_kernel void @request.branch(ptr noalias %x, ptr %dx, ptr noalias %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @branch, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

define ptx_kernel void @few(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %t
  %few = and i32 %n, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 1.0, %entry ], [ %s1, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr %x, i32 %at
  %a = load float, ptr %p
  %v = fmul float %a, %a
  %sum = call float @sum(float %v, i32 -1, i32 16)
  %square = fmul float %sum, %sum
  %s1 = fadd float %s, %square
  %i1 = add nuw nsw i32 %i, 1
  %ic = icmp ult i32 %i1, %few
  br i1 %ic, label %loop, label %exit
exit:
  store float %s1, ptr %o
  ret void
}
define ptx_kernel void @request.few(ptr noalias %x, ptr %dx, ptr noalias %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @few, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

define ptx_kernel void @wide(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 1.0, %entry ], [ %s1, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr %x, i32 %at
  %a = load float, ptr %p
  %v = fmul float %a, %a
  %sum = call float @sum(float %v, i32 -1, i32 16)
  %square = fmul float %sum, %sum
  %s1 = fadd float %s, %square
  %i1 = add nuw nsw i32 %i, 1
  %ic = icmp ult i32 %i1, %n
  br i1 %ic, label %loop, label %exit
exit:
  store float %s1, ptr %o
  ret void
}
define ptx_kernel void @request.lanes(ptr noalias %x, ptr %dx, ptr noalias %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @wide, metadata !"kd_width", i32 16, metadata !"kd_dup", ptr %x, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, ptr %dy, i32 %n)
  ret void
}
