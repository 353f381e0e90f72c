; Three words a lane, each lane's one further than the last lane's (which is
; tested once): each lane gets two from its neighbours. A word in between that
; nobody adds to counts as neutral. Words that are alone are added by themselves.
; RUN: %opt -passes='kdiff-lower,default<O2>' -S %s | FileCheck %s --implicit-check-not='call {{.*}}kd.'

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @three(
; CHECK-COUNT-1: vote.all
; CHECK-COUNT-2: @llvm.nvvm.shfl.sync.idx.f32(
; CHECK-NOT: @llvm.nvvm.shfl.sync.idx.f32(
; CHECK: {{^}}}
define ptx_kernel void @three(ptr addrspace(1) %d, i64 %i, float %a, float %b, float %c) {
  %d0 = getelementptr float, ptr addrspace(1) %d, i64 %i
  %d1 = getelementptr float, ptr addrspace(1) %d0, i64 1
  %d2 = getelementptr float, ptr addrspace(1) %d0, i64 -1
  call void (i32, ...) @kd.accumulate.all.f32(i32 11, ptr addrspace(1) %d0, float %a, ptr addrspace(1) %d1, float %b, ptr addrspace(1) %d2, float %c)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @apart(
; CHECK-COUNT-2: @llvm.nvvm.shfl.sync.idx.f32(
; CHECK-NOT: @llvm.nvvm.shfl.sync.idx.f32(
; CHECK: {{^}}}
define ptx_kernel void @apart(ptr addrspace(1) %d, i64 %i, float %a, float %b) {
  %d0 = getelementptr float, ptr addrspace(1) %d, i64 %i
  %d2 = getelementptr float, ptr addrspace(1) %d0, i64 2
  call void (i32, ...) @kd.accumulate.all.f32(i32 11, ptr addrspace(1) %d0, float %a, ptr addrspace(1) %d2, float %b)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @alone(
; CHECK-NOT: shfl
; CHECK: atomicrmw fadd
; CHECK: {{^}}}
define ptx_kernel void @alone(ptr addrspace(1) %d, i64 %i, float %a) {
  %d0 = getelementptr float, ptr addrspace(1) %d, i64 %i
  call void (i32, ...) @kd.accumulate.all.f32(i32 11, ptr addrspace(1) %d0, float %a)
  ret void
}

declare void @kd.accumulate.all.f32(i32, ...)
