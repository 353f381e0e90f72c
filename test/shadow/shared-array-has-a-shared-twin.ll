; The shadow of a static array in shared memory is another of the same type and
; alignment; an array that holds nothing differentiated has none.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @kdiff.shadow.tile = internal addrspace(3) global [32 x float] poison, align 16
; CHECK-NOT: @kdiff.shadow.ints
; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: getelementptr float, ptr addrspace(3) @kdiff.shadow.tile, i32 %n
; CHECK: call void @kd.shared.zero({{.*}}@kdiff.shadow.tile{{.*}}, i32 128)
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %n
  store float %v, ptr addrspace(3) %p
  store i32 %n, ptr addrspace(3) @ints
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %i = load i32, ptr addrspace(3) @ints
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %i
  %w = load float, ptr addrspace(3) %q
  store float %w, ptr %y
  ret void
}
@tile = internal addrspace(3) global [32 x float] undef, align 16
@ints = internal addrspace(3) global [32 x i32] undef
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
