; Which lanes of a warp likely add to one word: those of a row of the block, where
; the address does not depend on threadIdx.x; those in the same place of several
; rows, where it does not depend on threadIdx.y (for shared memory alone, whose
; atomics are loops). Without rows there is nothing to ask.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=kdiff -pass-remarks-analysis=kdiff -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@left = internal addrspace(3) global [256 x float] poison
@right = internal addrspace(3) global [256 x float] poison

; CHECK: contended addition: %own = load float
; CHECK: contended addition: %column = load float
; CHECK: row addition: %l0 = load float
; CHECK: across-rows addition: %r0 = load float
; CHECK: row addition with %l0: %l1 = load float
; CHECK: across-rows addition with %r0: %r1 = load float
; CHECK: contended addition: %f = load float
; CHECK: contended addition: %s = load float
; CHECK: contended addition: %t = load float

; REMARK: summed over a row of the block, as far as it is in one warp, then one atomic addition: its threads read the same word, as is proven
; REMARK: summed over the rows of the block that are in one warp, then one atomic addition: threads with the same threadIdx.x read the same word
define ptx_kernel void @tiles(ptr noalias %x, ptr noalias %y, i32 %n) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %row = mul i32 %ty, %n
  %at = add i32 %row, %tx
  %base = mul i32 %block, %n
  %place = add i32 %base, %at
  %pl = getelementptr float, ptr addrspace(3) @left, i32 %at
  %pr = getelementptr float, ptr addrspace(3) @right, i32 %at
  %px = getelementptr float, ptr %x, i32 %place
  %own = load float, ptr %px
  %across = add i32 %base, %tx
  %pc = getelementptr float, ptr %x, i32 %across
  %column = load float, ptr %pc
  store float %own, ptr addrspace(3) %pl
  store float %column, ptr addrspace(3) %pr
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %pl0 = getelementptr float, ptr addrspace(3) @left, i32 %row
  %l0 = load float, ptr addrspace(3) %pl0
  %pr0 = getelementptr float, ptr addrspace(3) @right, i32 %tx
  %r0 = load float, ptr addrspace(3) %pr0
  %pl1 = getelementptr float, ptr addrspace(3) %pl0, i32 1
  %l1 = load float, ptr addrspace(3) %pl1
  %pr1 = getelementptr float, ptr addrspace(3) %pr0, i32 %n
  %r1 = load float, ptr addrspace(3) %pr1
  %m0 = fmul float %l0, %r0
  %m1 = fmul float %l1, %r1
  %sum = fadd float %m0, %m1
  %py = getelementptr float, ptr %y, i32 %place
  store float %sum, ptr %py
  ret void
}

define ptx_kernel void @line(ptr noalias %x, ptr noalias %y, i32 %n) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %pl = getelementptr float, ptr addrspace(3) @left, i32 %tx
  %px = getelementptr float, ptr %x, i32 %tx
  %f = load float, ptr %px
  store float %f, ptr addrspace(3) %pl
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %tx, 1
  %ps = getelementptr float, ptr addrspace(3) @left, i32 %next
  %s = load float, ptr addrspace(3) %ps
  %beyond = add i32 %tx, 2
  %pt = getelementptr float, ptr addrspace(3) @left, i32 %beyond
  %t = load float, ptr addrspace(3) %pt
  %ss = fmul float %s, %t
  %py = getelementptr float, ptr %y, i32 %tx
  store float %ss, ptr %py
  ret void
}

define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @tiles, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 16)
  call void (...) @__kd_autodiff(ptr @line, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 16)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__kd_autodiff(...)
