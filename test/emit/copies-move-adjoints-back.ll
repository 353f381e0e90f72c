; A block copy of unknown length: word by word, the target's shadow is read and
; cleared and added to the source's. A fill clears the shadow.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: {{^}}rev.{{.*}}:
; CHECK: call void @llvm.memset.{{.*}}(ptr {{.*}}%d.q{{.*}}, i8 0, i64 16
; CHECK: udiv i64 %l, 4
; CHECK: %[[TO:.*]] = getelementptr float, ptr {{.*}}%d.y{{.*}}, i64 %[[K:.*]]
; CHECK: %[[FROM:.*]] = getelementptr float, ptr {{.*}}%d.x{{.*}}, i64 %[[K]]
; CHECK: %[[T:.*]] = load float, ptr {{.*}}%[[TO]]
; CHECK: store float 0.000000e+00, ptr {{.*}}%[[TO]]
; CHECK: call void @kd.accumulate.f32.{{.*}}%[[FROM]], float %[[T]]
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, ptr %z, i32 %n) {
  %l = load i64, ptr %z
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %y, ptr align 4 %x, i64 %l, i1 false)
  %v = load float, ptr %x
  %p = getelementptr float, ptr %x, i32 5
  store float %v, ptr %p
  %q = getelementptr float, ptr %y, i32 64
  call void @llvm.memset.p0.i64(ptr align 4 %q, i8 1, i64 16, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
