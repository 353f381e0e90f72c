; The reverse sweep passes the same barriers in reverse order: what readers add
; to a shadow is complete before the writer reads it. A barrier with a
; reduction is passed as a plain one of the same number and count.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: load float, ptr addrspace(1) %d.y.global
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 4, i32 64)
; CHECK: call void @kd.accumulate.f32.p3(ptr addrspace(3) @kdiff.shadow.tile,
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 3)
; CHECK: load float, ptr addrspace(3) %d.p
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %n
  store float %v, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 3)
  %w = load float, ptr addrspace(3) @tile
  %c = fcmp ogt float %w, 1.0
  %any = call i1 @llvm.nvvm.barrier.cta.red.or.aligned.count(i32 4, i32 64, i1 %c)
  %sel = select i1 %any, float %w, float %v
  store float %sel, ptr %y
  ret void
}
@tile = internal addrspace(3) global [32 x float] undef
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i1 @llvm.nvvm.barrier.cta.red.or.aligned.count(i32, i32, i1)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
