; Behind lower: what must not be left.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff-lint -disable-output %t/request.ll 2>&1 | FileCheck %t/request.ll
; RUN: not %opt -passes='kdiff-lint<lower>' -disable-output %t/operation.ll 2>&1 | FileCheck %t/operation.ll
; RUN: not %opt -passes=kdiff-lint -disable-output %t/libdevice.ll 2>&1 | FileCheck %t/libdevice.ll
; RUN: not %opt -passes=kdiff-lint -disable-output %t/intrinsic.ll 2>&1 | FileCheck %t/intrinsic.ll
; RUN: not %opt -passes=kdiff-lint -disable-output %t/scope.ll 2>&1 | FileCheck %t/scope.ll
; RUN: not %opt -passes=kdiff-lint -disable-output %t/space.ll 2>&1 | FileCheck %t/space.ll
; RUN: not %opt -passes=kdiff-lint -disable-output %t/marker.ll 2>&1 | FileCheck %t/marker.ll
; RUN: %opt -passes=kdiff-lint -disable-output %t/good.ll 2>&1 | count 0

;--- request.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(ptr)
; CHECK: error: {{.*}}fault of KDiff: a request is left, __kd_autodiff
define void @f() {
  call void @__kd_autodiff(ptr @f)
  ret void
}

;--- operation.ll
target triple = "nvptx64-nvidia-cuda"
declare void @kd.accumulate.f32.p0(ptr, float, i32)
; CHECK: error: {{.*}}fault of KDiff: an abstract operation is left, kd.accumulate.f32.p0
define void @f(ptr %p) {
  call void @kd.accumulate.f32.p0(ptr %p, float 1.0, i32 2)
  ret void
}

;--- libdevice.ll
target triple = "nvptx64-nvidia-cuda"
declare double @__nv_cos(double)
; CHECK: error: {{.*}}fault of KDiff: a function of libdevice is not linked, __nv_cos
define double @f(double %x) {
  %r = call double @__nv_cos(double %x)
  ret double %r
}

;--- intrinsic.ll
target triple = "nvptx64-nvidia-cuda"
; CHECK: error: {{.*}}fault of KDiff: the backend cannot select llvm.cos.f64
define double @f(double %x) {
  %r = call double @llvm.cos.f64(double %x)
  ret double %r
}

;--- scope.ll
target triple = "nvptx64-nvidia-cuda"
; CHECK: error: {{.*}}fault of KDiff: an adjoint addition with system scope
define void @f(ptr addrspace(1) %p) {
  atomicrmw fadd ptr addrspace(1) %p, float 1.0 monotonic
  ret void
}

;--- space.ll
target triple = "nvptx64-nvidia-cuda"
; CHECK: error: {{.*}}fault of KDiff: a generic adjoint addition where the address space is known
define ptx_kernel void @f(ptr %p) {
  %q = getelementptr float, ptr %p, i64 3
  atomicrmw fadd ptr %q, float 1.0 syncscope("device") monotonic
  ret void
}

;--- marker.ll
target triple = "nvptx64-nvidia-cuda"
@kd_dup = external addrspace(1) global i32
; CHECK: error: {{.*}}fault of KDiff: a marker is left, kd_dup
define i32 @f() {
  %r = load i32, ptr addrspace(1) @kd_dup
  ret i32 %r
}

;--- good.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr addrspace(1) %p, ptr %generic, float %x) {
  %r = call afn float @llvm.cos.f32(float %x)
  atomicrmw fadd ptr addrspace(1) %p, float %r syncscope("device") monotonic
  atomicrmw fadd ptr %generic, float 1.0 seq_cst
  ret void
}
