; Once differentiated to a silent zero; refused now.
; RUN: not %opt -passes=kdiff -disable-output %s 2>&1 | FileCheck %s
; CHECK: cannot differentiate {{.*}}a pointer that comes from inttoptr
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @__kd_fwddiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 1)
  ret void
}
@tile = internal addrspace(3) global [32 x float] undef
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  store float %v, ptr addrspace(3) @tile
  %a = ptrtoint ptr addrspace(3) @tile to i32
  %b = shl i32 %n, 2
  %c = add i32 %a, %b
  %p = inttoptr i32 %c to ptr addrspace(3)
  %w = load float, ptr addrspace(3) %p
  %r = fmul float %w, %w
  store float %r, ptr %y
  ret void
}
