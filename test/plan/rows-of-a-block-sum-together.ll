; Words of shared memory that depend on threadIdx.x alone, read where all threads
; of the block come together (as often as to a barrier), are summed over all rows
; of the block. Not under a condition, not where a loop in between may make other
; numbers of iterations, and not for fewer words than the barriers are worth. Words
; that depend on threadIdx.y alone are proven to be a row's in the same way.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=kdiff -pass-remarks-analysis=kdiff -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [256 x float] poison

; REMARK: summed over all rows of the block, then one atomic addition: threads with the same threadIdx.x read the same word, and all threads of the block come here together

; CHECK: block-rows addition: %a = load float
; CHECK: block-rows addition with %a: %b = load float
; CHECK: block-rows addition with %a: %c = load float
; CHECK: block-rows addition with %a: %d = load float
; CHECK: across-rows addition: %e = load float
; CHECK: across-rows addition with %e: %f = load float
; CHECK: across-rows addition with %e: %g = load float
; CHECK: across-rows addition with %e: %h = load float
; CHECK: across-rows addition: %j = load float
define ptx_kernel void @straight(ptr noalias %x, ptr noalias %y) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %ty, 16
  %at = add i32 %row, %tx
  %px = getelementptr float, ptr %x, i32 %at
  %own = load float, ptr %px
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %at
  store float %own, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %p0 = getelementptr float, ptr addrspace(3) @tile, i32 %tx
  %a = load float, ptr addrspace(3) %p0
  %p1 = getelementptr float, ptr addrspace(3) %p0, i32 16
  %b = load float, ptr addrspace(3) %p1
  %p2 = getelementptr float, ptr addrspace(3) %p0, i32 32
  %c = load float, ptr addrspace(3) %p2
  %p3 = getelementptr float, ptr addrspace(3) %p0, i32 48
  %d = load float, ptr addrspace(3) %p3
  %ab = fmul float %a, %b
  %cd = fmul float %c, %d
  %abcd = fmul float %ab, %cd
  %some = icmp slt i32 %ty, 3
  br i1 %some, label %then, label %join
then:
  %p4 = getelementptr float, ptr addrspace(3) %p0, i32 64
  %e = load float, ptr addrspace(3) %p4
  %p5 = getelementptr float, ptr addrspace(3) %p0, i32 80
  %f = load float, ptr addrspace(3) %p5
  %p6 = getelementptr float, ptr addrspace(3) %p0, i32 96
  %g = load float, ptr addrspace(3) %p6
  %p7 = getelementptr float, ptr addrspace(3) %p0, i32 112
  %h = load float, ptr addrspace(3) %p7
  %ef = fmul float %e, %f
  %gh = fmul float %g, %h
  %efgh = fmul float %ef, %gh
  br label %join
join:
  %both = phi float [ %abcd, %entry ], [ %efgh, %then ]
  %p8 = getelementptr float, ptr addrspace(3) %p0, i32 128
  %j = load float, ptr addrspace(3) %p8
  %all = fmul float %both, %j
  %py = getelementptr float, ptr %y, i32 %at
  store float %all, ptr %py
  ret void
}

; CHECK: block-rows addition: %k = load float
; CHECK: loop %even, sums of 8 iterations at once
define ptx_kernel void @evenly(ptr noalias %x, ptr noalias %y) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %ty, 16
  %at = add i32 %row, %tx
  %px = getelementptr float, ptr %x, i32 %at
  %own = load float, ptr %px
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %at
  store float %own, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %p0 = getelementptr float, ptr addrspace(3) @tile, i32 %tx
  br label %even
even:
  %i = phi i32 [ 0, %entry ], [ %i1, %even ]
  %s = phi float [ 0.0, %entry ], [ %s1, %even ]
  %i16 = mul nsw i32 %i, 4
  %pk = getelementptr float, ptr addrspace(3) %p0, i32 %i16
  %k = load float, ptr addrspace(3) %pk
  %ky = fmul float %k, %own
  %s1 = fadd float %s, %ky
  %i1 = add nsw i32 %i, 1
  %more = icmp slt i32 %i1, 60
  br i1 %more, label %even, label %exit
exit:
  %py = getelementptr float, ptr %y, i32 %at
  store float %s1, ptr %py
  ret void
}

; CHECK: across-rows addition: %l = load float
; CHECK: row-uniform addition: %m = load float
define ptx_kernel void @unevenly(ptr noalias %x, ptr noalias %y, ptr noalias %count) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = mul i32 %ty, 16
  %at = add i32 %row, %tx
  %px = getelementptr float, ptr %x, i32 %at
  %own = load float, ptr %px
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %at
  store float %own, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %p0 = getelementptr float, ptr addrspace(3) @tile, i32 %tx
  %pn = getelementptr i32, ptr %count, i32 %ty
  %n = load i32, ptr %pn
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s1, %loop ]
  %i16 = mul nsw i32 %i, 4
  %pl = getelementptr float, ptr addrspace(3) %p0, i32 %i16
  %l = load float, ptr addrspace(3) %pl
  %at.m = add i32 %row, %i
  %pm = getelementptr float, ptr addrspace(3) @tile, i32 %at.m
  %m = load float, ptr addrspace(3) %pm
  %ly = fmul float %l, %m
  %s1 = fadd float %s, %ly
  %i1 = add nsw i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %exit
exit:
  %py = getelementptr float, ptr %y, i32 %at
  store float %s1, ptr %py
  ret void
}

define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %n) {
  call void (...) @__kd_autodiff(ptr @straight, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  call void (...) @__kd_autodiff(ptr @evenly, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  call void (...) @__kd_autodiff(ptr @unevenly, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %n)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__kd_autodiff(...)
