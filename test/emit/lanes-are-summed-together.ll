; What waits for the end of the gradient, or of a loop, waits there for all lanes,
; and is added in one operation. Where one lane's words differ between threads,
; no lane's are summed over the block.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: call void (i32, ...) @kd.accumulate.all.f32(i32 3, ptr addrspace(1) %{{[0-9]+}}, float %{{[0-9]+}}, ptr addrspace(1) %{{[0-9]+}}, float %{{[0-9]+}}, ptr %d.a, float %{{[0-9]+}}, ptr %d.a{{[0-9]+}}, float %{{[0-9]+}})
; CHECK-LABEL: define internal void @kdiff.grad.f{{[0-9]}}(
; CHECK: call void (i32, ...) @kd.accumulate.all.f32(i32 4, ptr addrspace(1) %{{[0-9]+}}, float %{{[0-9]+}}, ptr addrspace(1) %{{[0-9]+}}, float %{{[0-9]+}}, ptr %d.a,
; CHECK-NOT: @kd.accumulate.all.f32(i32 3,
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, float %a, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v = load float, ptr %x
  %av = fmul float %a, %v
  %o = getelementptr float, ptr %y, i32 %tid
  store float %av, ptr %o
  ret void
}

define ptx_kernel void @uniform(ptr %x, ptr %dx, ptr %dx2, ptr %y, ptr %dy, ptr %dy2, ptr %da, ptr %da2, float %a) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 2, metadata !"kd_dup", ptr %x, ptr %dx, ptr %dx2, metadata !"kd_dup", ptr %y, ptr %dy, ptr %dy2, metadata !"kd_acc", float %a, ptr %da, ptr %da2, i32 7)
  ret void
}

define ptx_kernel void @differing(ptr %x, ptr %dx, ptr %dx2, ptr %y, ptr %dy, ptr %dy2, ptr %da, ptr %da2, float %a) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr %da2, i32 %tid
  %dmine = getelementptr float, ptr %dx2, i32 %tid
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 2, metadata !"kd_dup", ptr %x, ptr %dx, ptr %dmine, metadata !"kd_dup", ptr %y, ptr %dy, ptr %dy2, metadata !"kd_acc", float %a, ptr %da, ptr %mine, i32 7)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @__kd_autodiff(...)
