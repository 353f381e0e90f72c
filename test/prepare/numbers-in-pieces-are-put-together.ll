; However a number's bits are taken apart and put together, the number is found.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Halves of a double, and the sign in the upper one.
; CHECK-LABEL: define internal void @halves.kdiff(
; CHECK: %[[V:.*]] = load double
; CHECK: store double %[[V]]
; CHECK: fneg double %[[V]]
; CHECK-NOT: {{lshr|trunc|shl}}
; CHECK: ret void
define ptx_kernel void @halves(ptr %p) {
  %v = load double, ptr %p
  %hi = call i32 @llvm.nvvm.d2i.hi(double %v)
  %lo = call i32 @llvm.nvvm.d2i.lo(double %v)
  %same = call double @llvm.nvvm.lohi.i2d(i32 %lo, i32 %hi)
  %p1 = getelementptr double, ptr %p, i64 1
  store double %same, ptr %p1
  %flipped = xor i32 %hi, -2147483648
  %negative = call double @llvm.nvvm.lohi.i2d(i32 %lo, i32 %flipped)
  %p2 = getelementptr double, ptr %p, i64 2
  store double %negative, ptr %p2
  ret void
}

; Pairs of half precision: swapped, and both magnitudes.
; CHECK-LABEL: define internal void @pairs.kdiff(
; CHECK: %[[V:.*]] = load <2 x half>
; CHECK-DAG: %[[L:.*]] = extractelement <2 x half> %[[V]], i64 0
; CHECK-DAG: %[[H:.*]] = extractelement <2 x half> %[[V]], i64 1
; CHECK-DAG: insertelement <2 x half> poison, half %[[H]], i64 0
; CHECK-DAG: call half @llvm.fabs.f16(half %[[L]])
; CHECK-DAG: call half @llvm.fabs.f16(half %[[H]])
; CHECK-NOT: {{lshr|trunc|shl}}
; CHECK: ret void
define ptx_kernel void @pairs(ptr %p) {
  %v = load <2 x half>, ptr %p
  %i = bitcast <2 x half> %v to i32
  %up = shl i32 %i, 16
  %down = lshr i32 %i, 16
  %both = or i32 %up, %down
  %swapped = bitcast i32 %both to <2 x half>
  store <2 x half> %swapped, ptr %p
  %clear = and i32 %i, 2147450879
  %size = bitcast i32 %clear to <2 x half>
  %p1 = getelementptr i32, ptr %p, i64 1
  store <2 x half> %size, ptr %p1
  ret void
}

; The upper half of a float is a bfloat; a bit decides on a sign.
; CHECK-LABEL: define internal void @others.kdiff(
; CHECK: %[[B:.*]] = load bfloat
; CHECK: fpext bfloat %[[B]] to float
; CHECK: icmp ne i32
; CHECK: %[[SIZE:.*]] = call float @llvm.fabs.f32(float %x)
; CHECK: %[[NEG:.*]] = fneg float %[[SIZE]]
; CHECK: select i1 {{.*}}, float %[[NEG]], float %[[SIZE]]
; CHECK: ret void
define ptx_kernel void @others(ptr %p, ptr %q, float %x, i32 %k) {
  %b = load bfloat, ptr %q
  %i = bitcast bfloat %b to i16
  %wide = zext i16 %i to i32
  %up = shl i32 %wide, 16
  %f = bitcast i32 %up to float
  store float %f, ptr %p
  %mask = shl i32 %k, 31
  %bits = bitcast float %x to i32
  %signed = xor i32 %bits, %mask
  %y = bitcast i32 %signed to float
  %p1 = getelementptr float, ptr %p, i64 1
  store float %y, ptr %p1
  ret void
}

; Of two numbers, or of none: left as it is.
; CHECK-LABEL: define internal void @none.kdiff(
; CHECK: and i32 {{.*}}, 8388607
; CHECK: or i32 {{.*}}, 1065353216
; CHECK: or i64
; CHECK: ret void
define ptx_kernel void @none(ptr %p, ptr %q, float %x, float %z) {
  %bits = bitcast float %x to i32
  %low = and i32 %bits, 8388607
  %mantissa = or i32 %low, 1065353216
  store i32 %mantissa, ptr %q
  %w = bitcast float %z to i32
  %wz = zext i32 %w to i64
  %bz = zext i32 %mantissa to i64
  %up = shl i64 %bz, 32
  %mix = or i64 %wz, %up
  %q1 = getelementptr i64, ptr %q, i64 1
  store i64 %mix, ptr %q1
  ret void
}

declare i32 @llvm.nvvm.d2i.hi(double)
declare i32 @llvm.nvvm.d2i.lo(double)
declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare void @__kd_autodiff(...)
define void @request(ptr %p, ptr %d, ptr %q) {
  call void (...) @__kd_autodiff(ptr @halves, metadata !"kd_dup", ptr %p, ptr %d)
  call void (...) @__kd_autodiff(ptr @pairs, metadata !"kd_dup", ptr %p, ptr %d)
  call void (...) @__kd_autodiff(ptr @others, metadata !"kd_dup", ptr %p, ptr %d, metadata !"kd_dup", ptr %q, ptr %d, metadata !"kd_const", float 1.0, i32 1)
  call void (...) @__kd_autodiff(ptr @none, metadata !"kd_dup", ptr %p, ptr %d, metadata !"kd_const", ptr %q, metadata !"kd_const", float 1.0, metadata !"kd_const", float 1.0)
  ret void
}
