; Flipping, clearing, setting and moving a sign bit are fneg, fabs and copysign,
; and accesses keep their type.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IR

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; IR-LABEL: define internal void @signs.kdiff(
; IR-NOT: {{load|store}} i32
; IR: [[X:%.*]] = load float
; IR: [[Y:%.*]] = load float
; IR-DAG: fneg float [[X]]
; IR-DAG: [[A:%.*]] = call float @llvm.fabs.f32(float [[X]])
; IR-DAG: fneg float [[A]]
; IR-DAG: call float @llvm.copysign.f32(float [[X]], float [[Y]])
; IR-NOT: {{load|store}} i32
; IR: ret void
define ptx_kernel void @signs(ptr %x) {
  %px1 = getelementptr float, ptr %x, i64 1
  %px2 = getelementptr float, ptr %x, i64 2
  %px3 = getelementptr float, ptr %x, i64 3
  %v = load float, ptr %x
  %w = load float, ptr %px1
  %i = bitcast float %v to i32
  %j = bitcast float %w to i32
  %flip = xor i32 %i, -2147483648
  %flip.f = bitcast i32 %flip to float
  store float %flip.f, ptr %x
  %clear = and i32 %i, 2147483647
  %clear.f = bitcast i32 %clear to float
  store float %clear.f, ptr %px1
  %set = or i32 %i, -2147483648
  %set.f = bitcast i32 %set to float
  store float %set.f, ptr %px2
  %sign = and i32 %j, -2147483648
  %move = or i32 %sign, %clear
  %move.f = bitcast i32 %move to float
  store float %move.f, ptr %px3
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @signs, ptr %x, ptr %dx)
  ret void
}
