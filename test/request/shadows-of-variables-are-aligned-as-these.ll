; What is read by vectors is added to by vectors: the shadow of a variable is as
; much aligned as the variable.
; RUN: %opt -passes=kdiff -S %s | FileCheck %s

; CHECK: @dw = {{.*}}global [8 x float] zeroinitializer, align 16
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@w = addrspace(1) externally_initialized global [8 x float] zeroinitializer, align 16
@dw = addrspace(1) externally_initialized global [8 x float] zeroinitializer, align 4
@__kd_shadow_0 = constant [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @w to ptr), ptr addrspacecast (ptr addrspace(1) @dw to ptr)]
define ptx_kernel void @f(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %u = load float, ptr addrspace(1) @w
  %r = fmul float %v, %u
  store float %r, ptr %y
  ret void
}
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
