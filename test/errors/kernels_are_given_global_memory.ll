; A kernel takes its pointers to lead to global memory; a request that gives it
; other memory is an error that names the argument.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/local.ll 2>&1 | FileCheck %t/local.ll
; RUN: not %opt -passes=kdiff -disable-output %t/shared.ll 2>&1 | FileCheck %t/shared.ll
; RUN: %opt -passes=kdiff -disable-output %t/function.ll

;--- local.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
define ptx_kernel void @f(ptr %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}argument 1 'x' of f leads to a local variable, but a kernel's pointers lead to global memory: differentiate a __device__ function instead
define void @request() {
  %x = alloca [4 x float]
  %dx = alloca [4 x float]
  %p = getelementptr float, ptr %x, i64 1
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %p, ptr %dx)
  ret void
}

;--- shared.ll
target triple = "nvptx64-nvidia-cuda"
@tile = internal addrspace(3) global [32 x float] poison
@dtile = internal addrspace(3) global [32 x float] poison
declare void @__kd_autodiff(...)
define ptx_kernel void @f(ptr %x) {
  store float 1.0, ptr %x
  ret void
}
; CHECK: error: {{.*}}argument 1 'x' of f leads to shared memory, but
define void @request() {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr addrspacecast (ptr addrspace(3) @tile to ptr), ptr addrspacecast (ptr addrspace(3) @dtile to ptr))
  ret void
}

;--- function.ll
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
define void @f(ptr %x) {
  %v = load float, ptr %x
  %s = fmul float %v, %v
  store float %s, ptr %x
  ret void
}
define void @request(float %v) {
  %x = alloca float
  %dx = alloca float
  store float %v, ptr %x
  store float 1.0, ptr %dx
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx)
  ret void
}
