; The lanes of a warp share out the iterations of a reversed loop that nothing
; carries anything through but sums, and that leaves nothing but additions to
; memory. Not where the warp has no reductions, where words far apart in an
; iteration may be side by side in the lanes, where an adjoint leaves the loop or
; enters one iteration alone, where memory is written, or is the thread's own, or
; where lanes make the same number of iterations at words that they share.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=kdiff -pass-remarks-analysis=kdiff -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; REMARK-COUNT-3: the lanes of a warp share out the iterations of the reverse loop
; REMARK-NOT: share out

; CHECK: contended addition: %a = load float
; CHECK: loop %loop, iterations are shared out
define ptx_kernel void @rows(ptr noalias %v, ptr noalias %starts, ptr noalias %y) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr i32, ptr %starts, i32 %tid
  %first = load i32, ptr %s
  %e = getelementptr i32, ptr %s, i32 1
  %end = load i32, ptr %e
  %o = getelementptr float, ptr %y, i32 %tid
  br label %loop
loop:
  %k = phi i32 [ %first, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %p = getelementptr float, ptr %v, i32 %k
  %a = load float, ptr %p
  %b = fmul float %a, %a
  %sum1 = fadd float %sum, %b
  %k1 = add nsw i32 %k, 1
  %c = icmp slt i32 %k1, %end
  br i1 %c, label %loop, label %exit
exit:
  store float %sum1, ptr %o
  ret void
}

; Words of the thread's own are other lanes' business now: atomics.
; CHECK: contended addition: %a = load float
; CHECK: loop %loop, iterations are shared out
define ptx_kernel void @own(ptr noalias %v, ptr noalias %y, i32 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul nsw i32 %tid, 100
  %end = add nsw i32 %first, %n
  %own = getelementptr float, ptr %v, i32 %tid
  %o = getelementptr float, ptr %y, i32 %tid
  br label %loop
loop:
  %k = phi i32 [ %first, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %p = getelementptr float, ptr %v, i32 %k
  %a = load float, ptr %p
  %b = fmul float %a, %a
  %sum1 = fadd float %sum, %b
  %k1 = add nsw i32 %k, 1
  %c = icmp slt i32 %k1, %end
  br i1 %c, label %loop, label %exit
exit:
  store float %sum1, ptr %o
  ret void
}

; Sums through a multiply-add, beside a number that is the lane's.
; CHECK: loop %loop, iterations are shared out
define ptx_kernel void @scaled(ptr noalias %v, ptr noalias %starts, ptr noalias %y) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr i32, ptr %starts, i32 %tid
  %end = load i32, ptr %s
  %scale = sitofp i32 %end to float
  %o = getelementptr float, ptr %y, i32 %tid
  br label %loop
loop:
  %k = phi i32 [ %tid, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %p = getelementptr float, ptr %v, i32 %k
  %a = load float, ptr %p
  %sum1 = call float @llvm.fmuladd.f32(float %a, float %scale, float %sum)
  %k1 = add nsw i32 %k, 1
  %c = icmp slt i32 %k1, %end
  br i1 %c, label %loop, label %exit
exit:
  store float %sum1, ptr %o
  ret void
}

; CHECK-NOT: shared out

define ptx_kernel void @no_reductions(ptr noalias %v, ptr noalias %starts, ptr noalias %y) #1 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr i32, ptr %starts, i32 %tid
  %end = load i32, ptr %s
  %o = getelementptr float, ptr %y, i32 %tid
  br label %loop
loop:
  %k = phi i32 [ %tid, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %p = getelementptr float, ptr %v, i32 %k
  %a = load float, ptr %p
  %b = fmul float %a, %a
  %sum1 = fadd float %sum, %b
  %k1 = add nsw i32 %k, 1
  %c = icmp slt i32 %k1, %end
  br i1 %c, label %loop, label %exit
exit:
  store float %sum1, ptr %o
  ret void
}

; A row of a matrix whose columns lie side by side.
define ptx_kernel void @strided(ptr noalias %v, ptr noalias %starts, ptr noalias %y, i32 %rows) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr i32, ptr %starts, i32 %tid
  %end = load i32, ptr %s
  %o = getelementptr float, ptr %y, i32 %tid
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %row = mul nsw i32 %k, %rows
  %i = add nsw i32 %row, %tid
  %p = getelementptr float, ptr %v, i32 %i
  %a = load float, ptr %p
  %b = fmul float %a, %a
  %sum1 = fadd float %sum, %b
  %k1 = add nsw i32 %k, 1
  %c = icmp slt i32 %k1, %end
  br i1 %c, label %loop, label %exit
exit:
  store float %sum1, ptr %o
  ret void
}

; The derivative of %w is a sum over the iterations.
define ptx_kernel void @sum_leaves(ptr noalias %v, ptr noalias %starts, ptr noalias %y) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr i32, ptr %starts, i32 %tid
  %end = load i32, ptr %s
  %o = getelementptr float, ptr %y, i32 %tid
  %q = getelementptr float, ptr %v, i32 %tid
  %w = load float, ptr %q
  br label %loop
loop:
  %k = phi i32 [ %tid, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %p = getelementptr float, ptr %v, i32 %k
  %a = load float, ptr %p
  %b = fmul float %a, %w
  %sum1 = fadd float %sum, %b
  %k1 = add nsw i32 %k, 1
  %c = icmp slt i32 %k1, %end
  br i1 %c, label %loop, label %exit
exit:
  store float %sum1, ptr %o
  ret void
}

; The sum before the last iteration is used, and the last number.
define ptx_kernel void @last_iteration(ptr noalias %v, ptr noalias %starts, ptr noalias %y) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr i32, ptr %starts, i32 %tid
  %end = load i32, ptr %s
  %o = getelementptr float, ptr %y, i32 %tid
  br label %loop
loop:
  %k = phi i32 [ %tid, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %p = getelementptr float, ptr %v, i32 %k
  %a = load float, ptr %p
  %b = fmul float %a, %a
  %sum1 = fadd float %sum, %b
  %k1 = add nsw i32 %k, 1
  %c = icmp slt i32 %k1, %end
  br i1 %c, label %loop, label %exit
exit:
  %both = fadd float %sum1, %b
  store float %both, ptr %o
  ret void
}

; A product, and a sum that the body reads, are no sums.
define ptx_kernel void @product(ptr noalias %v, ptr noalias %starts, ptr noalias %y) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr i32, ptr %starts, i32 %tid
  %end = load i32, ptr %s
  %o = getelementptr float, ptr %y, i32 %tid
  br label %loop
loop:
  %k = phi i32 [ %tid, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %p = getelementptr float, ptr %v, i32 %k
  %a = load float, ptr %p
  %half = fmul float %sum, 0.5
  %sum1 = fadd float %half, %a
  %k1 = add nsw i32 %k, 1
  %c = icmp slt i32 %k1, %end
  br i1 %c, label %loop, label %exit
exit:
  store float %sum1, ptr %o
  ret void
}

define ptx_kernel void @stores(ptr noalias %v, ptr noalias %starts, ptr noalias %y) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr i32, ptr %starts, i32 %tid
  %first = load i32, ptr %s
  %e = getelementptr i32, ptr %s, i32 1
  %end = load i32, ptr %e
  br label %loop
loop:
  %k = phi i32 [ %first, %entry ], [ %k1, %loop ]
  %p = getelementptr float, ptr %v, i32 %k
  %a = load float, ptr %p
  %b = fmul float %a, %a
  %o = getelementptr float, ptr %y, i32 %k
  store float %b, ptr %o
  %k1 = add nsw i32 %k, 1
  %c = icmp slt i32 %k1, %end
  br i1 %c, label %loop, label %exit
exit:
  ret void
}

; An array of the thread.
define ptx_kernel void @private(ptr noalias %v, ptr noalias %starts, ptr noalias %y) #0 {
entry:
  %own = alloca [64 x float]
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %s = getelementptr i32, ptr %starts, i32 %tid
  %end = load i32, ptr %s
  %o = getelementptr float, ptr %y, i32 %tid
  %q = getelementptr float, ptr %v, i32 %tid
  %w = load float, ptr %q
  %at = getelementptr float, ptr %own, i32 %end
  store float %w, ptr %own
  store float %w, ptr %at
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %p = getelementptr float, ptr %own, i32 %k
  %a = load float, ptr %p
  %b = fmul float %a, 2.0
  %sum1 = fadd float %sum, %b
  %k1 = add nsw i32 %k, 1
  %c = icmp slt i32 %k1, %end
  br i1 %c, label %loop, label %exit
exit:
  store float %sum1, ptr %o
  ret void
}

; All lanes read the same words, equally often.
define ptx_kernel void @together(ptr noalias %v, ptr noalias %y, i32 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %o = getelementptr float, ptr %y, i32 %tid
  %f = sitofp i32 %tid to float
  br label %loop
loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %p = getelementptr float, ptr %v, i32 %k
  %a = load float, ptr %p
  %b = fmul float %a, %f
  %sum1 = fadd float %sum, %b
  %k1 = add nsw i32 %k, 1
  %c = icmp slt i32 %k1, %n
  br i1 %c, label %loop, label %exit
exit:
  store float %sum1, ptr %o
  ret void
}

define ptx_kernel void @requests(ptr %a, ptr %da, ptr %s, ptr %b, ptr %db, i32 %n) #0 {
  call void (...) @__kd_autodiff(ptr @rows, metadata !"kd_dup", ptr %a, ptr %da, metadata !"kd_const", ptr %s, metadata !"kd_dup", ptr %b, ptr %db)
  call void (...) @__kd_autodiff(ptr @own, metadata !"kd_dup", ptr %a, ptr %da, metadata !"kd_dup", ptr %b, ptr %db, i32 %n)
  call void (...) @__kd_autodiff(ptr @scaled, metadata !"kd_dup", ptr %a, ptr %da, metadata !"kd_const", ptr %s, metadata !"kd_dup", ptr %b, ptr %db)
  call void (...) @__kd_autodiff(ptr @no_reductions, metadata !"kd_dup", ptr %a, ptr %da, metadata !"kd_const", ptr %s, metadata !"kd_dup", ptr %b, ptr %db)
  call void (...) @__kd_autodiff(ptr @strided, metadata !"kd_dup", ptr %a, ptr %da, metadata !"kd_const", ptr %s, metadata !"kd_dup", ptr %b, ptr %db, i32 %n)
  call void (...) @__kd_autodiff(ptr @sum_leaves, metadata !"kd_dup", ptr %a, ptr %da, metadata !"kd_const", ptr %s, metadata !"kd_dup", ptr %b, ptr %db)
  call void (...) @__kd_autodiff(ptr @last_iteration, metadata !"kd_dup", ptr %a, ptr %da, metadata !"kd_const", ptr %s, metadata !"kd_dup", ptr %b, ptr %db)
  call void (...) @__kd_autodiff(ptr @product, metadata !"kd_dup", ptr %a, ptr %da, metadata !"kd_const", ptr %s, metadata !"kd_dup", ptr %b, ptr %db)
  call void (...) @__kd_autodiff(ptr @stores, metadata !"kd_dup", ptr %a, ptr %da, metadata !"kd_const", ptr %s, metadata !"kd_dup", ptr %b, ptr %db)
  call void (...) @__kd_autodiff(ptr @private, metadata !"kd_dup", ptr %a, ptr %da, metadata !"kd_const", ptr %s, metadata !"kd_dup", ptr %b, ptr %db)
  call void (...) @__kd_autodiff(ptr @together, metadata !"kd_dup", ptr %a, ptr %da, metadata !"kd_dup", ptr %b, ptr %db, i32 %n)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fmuladd.f32(float, float, float)
declare void @__kd_autodiff(...)
attributes #0 = { "target-cpu"="sm_90" }
attributes #1 = { "target-cpu"="sm_75" }
