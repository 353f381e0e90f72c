; Each lane gets the sum of the adjoints of the lanes that read it, with the
; primal's mask, lane and clamp.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: call float @kd.shfl.back.f32(i32 1, i32 -1, float %{{.*}}, i32 %n, i32 31)
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %s = call float @llvm.nvvm.shfl.sync.down.f32(i32 -1, float %v, i32 %n, i32 31)
  store float %s, ptr %y
  ret void
}
declare float @llvm.nvvm.shfl.sync.down.f32(i32, float, i32, i32)

; Packed numbers one by one, narrow ones as float.
; CHECK-LABEL: define internal void @kdiff.grad.packed(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: %[[L:.*]] = fpext half %{{.*}} to float
; CHECK: %[[LS:.*]] = call float @kd.shfl.back.f32(i32 2, i32 -1, float %[[L]], i32 5, i32 31)
; CHECK: fptrunc float %[[LS]] to half
; CHECK: %[[H:.*]] = fpext half %{{.*}} to float
; CHECK: call float @kd.shfl.back.f32(i32 2, i32 -1, float %[[H]], i32 5, i32 31)
define ptx_kernel void @packed(ptr %x, ptr %y) {
  %v = load <2 x half>, ptr %x
  %i = bitcast <2 x half> %v to i32
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %i, i32 5, i32 31)
  %h = bitcast i32 %s to <2 x half>
  store <2 x half> %h, ptr %y
  ret void
}
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  call void (...) @__kd_autodiff(ptr @packed, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
