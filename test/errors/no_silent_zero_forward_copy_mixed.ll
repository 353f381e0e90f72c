; Once differentiated to a silent zero; refused now.
; RUN: not %opt -passes=kdiff -disable-output %s 2>&1 | FileCheck %s
; CHECK: cannot differentiate {{.*}}a block copy whose operands may lack a shadow
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @__kd_fwddiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_fwddiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %c = icmp eq i32 %n, 3
  %p = select i1 %c, ptr %x, ptr %z
  %e = zext i32 %n to i64
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %p, i64 %e, i1 false)
  %v = load float, ptr %y
  store float %v, ptr %y
  ret void
}
