; Five words of a block: a warp's sums take 7 + 2 exchanges (of eight words, one
; for each of 4, 2, 1 pairs and two more steps), the block's a barrier, a row of
; shared memory for each warp and one addition a word. Words that other threads
; do not share with the block are added by each thread that has a sum.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s --implicit-check-not='call {{.*}}kd.'
; RUN: %opt -passes='kdiff-lower,default<O2>' -S %s | %llc -mcpu=sm_90 -o - | FileCheck %s --check-prefix=PTX

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @kdiff.sums = internal addrspace(3) global [256 x float] poison, align 16
; CHECK-LABEL: define ptx_kernel void @block(
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; PTX-LABEL: .entry block(
; PTX-NOT: .local
; PTX-COUNT-9: shfl.sync.bfly
; PTX: bar.sync
; PTX: {{red|atom}}.global.add.f32
; PTX: ret
define ptx_kernel void @block(ptr addrspace(1) %d, float %a, float %b, float %c, float %e, float %f) {
  %d1 = getelementptr float, ptr addrspace(1) %d, i32 1
  %d2 = getelementptr float, ptr addrspace(1) %d, i32 2
  %d3 = getelementptr float, ptr addrspace(1) %d, i32 3
  %d4 = getelementptr float, ptr addrspace(1) %d, i32 4
  call void (i32, ...) @kd.accumulate.all.f32(i32 3, ptr addrspace(1) %d, float %a, ptr addrspace(1) %d1, float %b, ptr addrspace(1) %d2, float %c, ptr addrspace(1) %d3, float %e, ptr addrspace(1) %d4, float %f)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @each(
; CHECK: %[[SUM:.*]] = {{icmp ne i32 .*, -2147483648|call i1 @llvm.is.fpclass.*}}
; CHECK: br i1 %[[SUM]]
; CHECK: atomicrmw fadd ptr addrspace(1) %d, float %a syncscope("device") monotonic
; CHECK-NOT: shfl
; CHECK: ret void
define ptx_kernel void @each(ptr addrspace(1) %d, float %a) {
  call void (i32, ...) @kd.accumulate.all.f32(i32 5, ptr addrspace(1) %d, float %a)
  ret void
}

; The lanes that are together may have other addresses: that is tested once for
; addresses at a fixed distance.
; CHECK-LABEL: define ptx_kernel void @warp(
; CHECK: call i32 @llvm.nvvm.activemask()
; CHECK: call {{.*}}i1 @llvm.nvvm.vote.all.sync(
; CHECK-NOT: call {{.*}}i1 @llvm.nvvm.vote.all.sync(
; CHECK: ret void
define ptx_kernel void @warp(ptr addrspace(1) %d, i64 %i, float %a, float %b) {
  %d1 = getelementptr float, ptr addrspace(1) %d, i64 %i
  %d2 = getelementptr float, ptr addrspace(1) %d1, i64 2
  call void (i32, ...) @kd.accumulate.all.f32(i32 4, ptr addrspace(1) %d1, float %a, ptr addrspace(1) %d2, float %b)
  ret void
}

declare void @kd.accumulate.all.f32(i32, ...)
