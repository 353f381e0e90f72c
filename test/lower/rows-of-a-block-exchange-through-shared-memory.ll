; Four words that all rows of the block sum together: all threads that there are
; meet (they are counted), the warps write their sums, two words each where the
; halves of a warp have the same ones (two exchanges), meet, and a warp a word reads
; them. One array does for all exchanges, whose rows have room for 64 words of a
; lane; more than sixteen words take turns. Without room in shared memory the
; lanes of a warp exchange alone.
; RUN: %opt -passes='kdiff-lower' -S %s | FileCheck %s --check-prefix=ARRAY
; RUN: %opt -passes='kdiff-lower,default<O2>' -S %s | FileCheck %s
; RUN: sed -e 's/256 x float/11000 x float/' %s | %opt -passes='kdiff-lower' -S | FileCheck %s --check-prefix=FULL

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [256 x float] poison

; ARRAY-COUNT-1: @kdiff.rows = internal addrspace(3) global [2048 x float] poison, align 16
; ARRAY-NOT: @kdiff.rows{{.*}} =
; FULL-NOT: @kdiff.rows
; FULL: vote.all

; CHECK-LABEL: define ptx_kernel void @four(
; CHECK: call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0
; CHECK-COUNT-2: @llvm.nvvm.shfl.sync.bfly.f32(
; CHECK-NOT: shfl.sync
; CHECK: {{^}}}
define ptx_kernel void @four(i32 %i, float %a, float %b, float %c, float %d) {
  %p0 = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %p1 = getelementptr float, ptr addrspace(3) %p0, i32 16
  %p2 = getelementptr float, ptr addrspace(3) %p0, i32 32
  %p3 = getelementptr float, ptr addrspace(3) %p0, i32 48
  call void (i32, ...) @kd.accumulate.all.f32(i32 10, ptr addrspace(3) %p0, float %a, ptr addrspace(3) %p1, float %b, ptr addrspace(3) %p2, float %c, ptr addrspace(3) %p3, float %d)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @twice(
; CHECK: call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0
; CHECK: call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0
; CHECK: {{^}}}
define ptx_kernel void @twice(i32 %i, float %a) {
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %i
  call void (i32, ...) @kd.accumulate.all.f32(i32 10, ptr addrspace(3) %p, float %a)
  call void (i32, ...) @kd.accumulate.all.f32(i32 10, ptr addrspace(3) %p, float %a)
  ret void
}

declare void @kd.accumulate.all.f32(i32, ...)
