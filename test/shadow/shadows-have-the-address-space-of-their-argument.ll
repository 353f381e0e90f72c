; Other front ends pass pointers to global memory as what they are.
; RUN: %opt -passes=kdiff -S %s | FileCheck %s

; CHECK-LABEL: define ptx_kernel void @request(
; CHECK: load double, ptr addrspace(1)
; CHECK: atomicrmw fadd ptr addrspace(1)
; CHECK: ret void
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr addrspace(1) %x, ptr addrspace(1) %y, i32 %n) {
  %p = getelementptr double, ptr addrspace(1) %x, i32 %n
  %v = load double, ptr addrspace(1) %p
  %r = fmul double %v, %v
  store double %r, ptr addrspace(1) %y
  ret void
}
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr addrspace(1) %x, ptr addrspace(1) %dx, ptr addrspace(1) %y, ptr addrspace(1) %dy, i32 %n) {
  fence acquire
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr addrspace(1) %x, ptr addrspace(1) %dx, metadata !"kd_dup", ptr addrspace(1) %y, ptr addrspace(1) %dy, metadata !"kd_const", i32 %n)
  ret void
}
