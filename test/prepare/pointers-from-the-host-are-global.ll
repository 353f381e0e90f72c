; A kernel's pointers, also those in structs by value, lead to global memory;
; shared variables are accessed as shared; a device function's pointers may lead
; anywhere.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IR

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%Args = type { ptr, i32 }
@tile = internal addrspace(3) global [32 x float] undef

; IR-LABEL: define internal void @kernel.kdiff(
; IR-DAG: load float, ptr addrspace(1)
; IR-DAG: store float {{.*}}, ptr addrspace(3)
; IR-DAG: store float {{.*}}, ptr addrspace(1)
; IR: ret void
define ptx_kernel void @kernel(ptr %x, ptr byval(%Args) %args, i32 %i) {
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %t = getelementptr [32 x float], ptr addrspacecast (ptr addrspace(3) @tile to ptr), i32 0, i32 %i
  store float %v, ptr %t
  %q = load ptr, ptr %args
  %w = fmul float %v, %v
  store float %w, ptr %q
  ret void
}

; IR-LABEL: define internal void @function.kdiff(
; IR: load float, ptr %x
; IR-NOT: addrspacecast
; IR: ret void
define void @function(ptr %x) {
  %v = load float, ptr %x
  %w = fmul float %v, %v
  store float %w, ptr %x
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  %args = alloca %Args
  call void (...) @__kd_autodiff(ptr @kernel, ptr %x, ptr %dx, metadata !"kd_dup", ptr %args, ptr %args, i32 1)
  call void (...) @__kd_autodiff(ptr @function, ptr %x, ptr %dx)
  ret void
}
