; An atomic whose result nobody reads is a reduction to ptxas, unless a fence may
; follow: additions are written as reductions then.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s --implicit-check-not=kd.accumulate
; RUN: %opt -passes=kdiff-lower -S %s | %llc -mcpu=sm_90 -o - | FileCheck %s --check-prefix=PTX

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [32 x float] undef

; CHECK-LABEL: define ptx_kernel void @fences(
; CHECK: call void asm sideeffect "red.global.add.f32 [$0], $1;", "l,f,~{memory}"(ptr addrspace(1)
; CHECK: call void asm sideeffect "red.global.add.f64 [$0], $1;", "l,d,~{memory}"(ptr addrspace(1)
; PTX-LABEL: .entry fences(
; PTX: red.global.add.f32
; PTX: red.global.add.f64
define ptx_kernel void @fences(ptr %d, ptr %e, float %v, double %w) #0 {
  call void @kd.accumulate.f32.p0(ptr %d, float %v, i32 5)
  call void @kd.accumulate.f64.p0(ptr %e, double %w, i32 5)
  fence syncscope("device") acq_rel
  ret void
}

; CHECK-LABEL: define ptx_kernel void @calls_a_fence(
; CHECK: call void asm sideeffect "red.global.add.f32
define ptx_kernel void @calls_a_fence(ptr %d, float %v) #0 {
  call void @kd.accumulate.f32.p0(ptr %d, float %v, i32 5)
  call void @callee()
  ret void
}
define internal void @callee() #0 {
  call void @llvm.nvvm.membar.gl()
  ret void
}

; CHECK-LABEL: define ptx_kernel void @no_fence(
; CHECK: atomicrmw fadd ptr addrspace(1)
define ptx_kernel void @no_fence(ptr %d, float %v) #0 {
  call void @kd.accumulate.f32.p0(ptr %d, float %v, i32 5)
  ret void
}

; What the primal adds is its own, and shared memory has no such instruction.
; CHECK-LABEL: define ptx_kernel void @others(
; CHECK: atomicrmw fadd ptr addrspace(3)
; CHECK: atomicrmw fadd ptr addrspace(1) %p, float %v seq_cst
; CHECK: %old = atomicrmw fadd ptr addrspace(1) %p, float %v syncscope("device") monotonic
define ptx_kernel void @others(ptr addrspace(1) %p, ptr addrspace(1) %to, i64 %i, float %v) #0 {
  %q = getelementptr float, ptr addrspacecast (ptr addrspace(3) @shared to ptr), i64 %i
  call void @kd.accumulate.f32.p0(ptr %q, float %v, i32 5)
  atomicrmw fadd ptr addrspace(1) %p, float %v seq_cst
  fence syncscope("device") acq_rel
  %old = atomicrmw fadd ptr addrspace(1) %p, float %v syncscope("device") monotonic
  store float %old, ptr addrspace(1) %to
  ret void
}

attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx81,+sm_90" }

declare void @kd.accumulate.f32.p0(ptr, float, i32)
declare void @kd.accumulate.f64.p0(ptr, double, i32)
declare void @llvm.nvvm.membar.gl()
