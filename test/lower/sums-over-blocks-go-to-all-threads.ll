; The adjoint of a sum over the block takes a word of shared memory where one
; thread has it, a word of each warp where all have. The sum itself is not made.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s --implicit-check-not='{{kd[.](block|tree)}}'
; RUN: %opt -passes='kdiff-lower,default<O2>' -S %s | FileCheck %s --check-prefix=O2

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define float @one(
; CHECK: call float @__kd_sum_of_one_f32(float %a, i1 %first)
; O2-LABEL: float @one(
; O2-NOT: shfl
; O2-COUNT-2: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; O2-NOT: barrier
; O2: ret float
define float @one(float %a, i1 %first) {
  %s = call float @kd.block.sum.back.f32(float %a, i1 %first)
  ret float %s
}

; CHECK-LABEL: define double @all(
; CHECK: call double @__kd_sum_of_block_f64(double %a)
; O2-LABEL: double @all(
; O2: shfl.sync.bfly
; O2-COUNT-2: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; O2-NOT: barrier
; O2: ret double
define double @all(double %a) {
  %s = call double @kd.block.sum.back.f64(double %a, i1 true)
  ret double %s
}

; CHECK-LABEL: define void @nobody(
; CHECK-NEXT: ret void
define void @nobody(float %a) {
  %s = call float @kd.block.sum.f32(float %a, i1 true)
  ret void
}

; CHECK-LABEL: define i1 @holds(
; CHECK: call i1 @__kd_tree_holds(i32 %t, i32 %d)
define i1 @holds(i32 %t, i32 %d) {
  %h = call i1 @kd.tree.holds(i32 %t, i32 %d)
  ret i1 %h
}

declare float @kd.block.sum.f32(float, i1) convergent
declare float @kd.block.sum.back.f32(float, i1) convergent
declare double @kd.block.sum.back.f64(double, i1) convergent
declare i1 @kd.tree.holds(i32, i32)
