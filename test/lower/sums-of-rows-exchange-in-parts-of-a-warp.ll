; Four words of rows of the block, of whatever length the rows are: that is tested
; once, for a warp, a half and a quarter of it. Four words that several rows share
; take two exchanges between the halves of a warp, and one more between quarters.
; RUN: %opt -passes='kdiff-lower,default<O2>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @rows(
; CHECK-NOT: alloca
; CHECK: vote.all
; CHECK: vote.all
; CHECK: vote.all
; CHECK: @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %{{.*}}, i32 8, i32 31)
; CHECK: atomicrmw fadd ptr addrspace(3)
; CHECK: ret void
define ptx_kernel void @rows(ptr addrspace(3) %d, float %a, float %b, float %c, float %e) {
  %d1 = getelementptr float, ptr addrspace(3) %d, i32 1
  %d2 = getelementptr float, ptr addrspace(3) %d, i32 2
  %d3 = getelementptr float, ptr addrspace(3) %d, i32 3
  call void (i32, ...) @kd.accumulate.all.f32(i32 7, ptr addrspace(3) %d, float %a, ptr addrspace(3) %d1, float %b, ptr addrspace(3) %d2, float %c, ptr addrspace(3) %d3, float %e)
  ret void
}

; Where that is proven, the length of the rows is all that is asked.
; CHECK-LABEL: define ptx_kernel void @proven(
; CHECK-NOT: vote
; CHECK: @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %{{.*}}, i32 8, i32 31)
; CHECK-NOT: vote
; CHECK: {{^}}}
define ptx_kernel void @proven(ptr addrspace(3) %d, float %a, float %b) {
  %d1 = getelementptr float, ptr addrspace(3) %d, i32 1
  call void (i32, ...) @kd.accumulate.all.f32(i32 12, ptr addrspace(3) %d, float %a, ptr addrspace(3) %d1, float %b)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @across(
; CHECK-NOT: alloca
; CHECK: vote.all
; CHECK: vote.all
; CHECK: @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %{{.*}}, i32 16, i32 31)
; CHECK: @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %{{.*}}, i32 16, i32 31)
; CHECK: @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %{{.*}}, i32 8, i32 31)
; CHECK-NOT: shfl
; CHECK: ret void
define ptx_kernel void @across(ptr addrspace(3) %d, float %a, float %b, float %c, float %e) {
  %d1 = getelementptr float, ptr addrspace(3) %d, i32 16
  %d2 = getelementptr float, ptr addrspace(3) %d, i32 32
  %d3 = getelementptr float, ptr addrspace(3) %d, i32 48
  call void (i32, ...) @kd.accumulate.all.f32(i32 8, ptr addrspace(3) %d, float %a, ptr addrspace(3) %d1, float %b, ptr addrspace(3) %d2, float %c, ptr addrspace(3) %d3, float %e)
  ret void
}

; Words whose addresses differ by constants, whatever index they share, are tested
; once.
; CHECK-LABEL: define ptx_kernel void @column(
; CHECK: vote.all
; CHECK: vote.all
; CHECK-NOT: vote.all
; CHECK: ret void
define ptx_kernel void @column(ptr addrspace(3) %d, i64 %i, float %a, float %b) {
  %d0 = getelementptr [4 x [16 x float]], ptr addrspace(3) %d, i64 0, i64 0, i64 %i
  %d2 = getelementptr [4 x [16 x float]], ptr addrspace(3) %d, i64 0, i64 2, i64 %i
  call void (i32, ...) @kd.accumulate.all.f32(i32 8, ptr addrspace(3) %d0, float %a, ptr addrspace(3) %d2, float %b)
  ret void
}

declare void @kd.accumulate.all.f32(i32, ...)
