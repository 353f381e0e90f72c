; A store of a constant stores a zero tangent; copies and fills of memory have a
; copy and a zero fill of tangents; an atomic addition adds the tangent; a
; select takes the tangent of what it takes.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.tangent.f(
; CHECK: call void @llvm.memcpy{{.*}}%y
; CHECK: call void @llvm.memcpy{{.*}}%d.y{{.*}}%d.x
; CHECK: call void @llvm.memset{{.*}}i8 1, i64 16
; CHECK: call void @llvm.memset{{.*}}i8 0, i64 16
; CHECK: store float 3.000000e+00, ptr addrspace(1) %q2
; CHECK: store float 0.000000e+00, ptr addrspace(1) %d.q2
; CHECK: atomicrmw fadd ptr addrspace(1) %q3, float %v syncscope("device") monotonic
; CHECK: atomicrmw fadd ptr addrspace(1) %d.q3, float %{{.*}} syncscope("device") monotonic
; CHECK: %s = select i1 %c, float %v, float 5.000000e+00
; CHECK: select i1 %c, float %{{.*}}, float 0.000000e+00
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, ptr %z, i32 %n) {
  %l = load i64, ptr %z
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %y, ptr align 4 %x, i64 %l, i1 false)
  %v = load float, ptr %x
  %q = getelementptr float, ptr %y, i32 64
  call void @llvm.memset.p0.i64(ptr align 4 %q, i8 1, i64 16, i1 false)
  %q2 = getelementptr float, ptr %y, i32 128
  store float 3.0, ptr %q2
  %q3 = getelementptr float, ptr %y, i32 129
  %old = atomicrmw fadd ptr %q3, float %v syncscope("device") monotonic
  %c = icmp sgt i32 %n, 3
  %s = select i1 %c, float %v, float 5.0
  %q4 = getelementptr float, ptr %y, i32 130
  store float %s, ptr %q4
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

declare void @__kd_fwddiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_fwddiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
