; Whether the lanes of a shuffle ask for the same has not to be found out where
; they ask for a constant.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s --implicit-check-not=kd.shfl
; RUN: %opt -passes='kdiff-lower,default<O2>' -S %s | FileCheck %s --check-prefix=O2

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define float @constant(
; CHECK: call float @__kd_shfl_back_f32({{.*}}, i1 true)
; O2-LABEL: float @constant(
; O2-NOT: vote
; O2: call {{.*}}float @llvm.nvvm.shfl.sync.idx.f32(
; O2-NOT: shfl
; O2: ret
define float @constant(float %a) {
  %s = call float @kd.shfl.back.f32(i32 2, i32 -1, float %a, i32 8, i32 31)
  ret float %s
}

; CHECK-LABEL: define float @variable(
; CHECK: call float @__kd_shfl_back_f32({{.*}}, i1 false)
; O2-LABEL: float @variable(
; O2: call {{.*}}i1 @llvm.nvvm.vote.all.sync(
define float @variable(float %a, i32 %n) {
  %s = call float @kd.shfl.back.f32(i32 2, i32 -1, float %a, i32 %n, i32 31)
  ret float %s
}

declare float @kd.shfl.back.f32(i32, i32, float, i32, i32) convergent
