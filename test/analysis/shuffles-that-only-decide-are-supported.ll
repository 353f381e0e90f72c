; Nobody wants the derivative of a number that is exchanged to be compared.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s --check-prefix=EMIT

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: active: %other
; EMIT-LABEL: define internal void @kdiff.grad.larger_wins(
; EMIT-NOT: kd.shfl.back
; EMIT: {{^}}}
define ptx_kernel void @larger_wins(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %p
  %other = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 16, i32 31)
  %wins = fcmp ogt float %v, %other
  %kept = select i1 %wins, float %v, float 0.0
  %square = fmul float %kept, %kept
  %q = getelementptr float, ptr %y, i32 %t
  store float %square, ptr %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @larger_wins, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
