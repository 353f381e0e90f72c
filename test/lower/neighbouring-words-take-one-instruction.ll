; Vectors are added by one instruction where the target has it, the memory is
; global and the vector is aligned as a whole; else element by element.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s --implicit-check-not=kd.accumulate
; RUN: %opt -passes=kdiff-lower -S %s | %llc -mcpu=sm_90 -o - | FileCheck %s --check-prefix=PTX

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [32 x float] undef

; CHECK-LABEL: define ptx_kernel void @four(
; CHECK: call void asm sideeffect "red.relaxed.gpu.global.add.v4.f32
; CHECK-LABEL: define ptx_kernel void @badly_aligned(
; CHECK-COUNT-4: atomicrmw fadd ptr addrspace(1)
; CHECK-LABEL: define ptx_kernel void @in_shared_memory(
; CHECK-COUNT-2: atomicrmw fadd ptr addrspace(3) {{.*}} syncscope("block")
; CHECK-LABEL: define ptx_kernel void @halves(
; CHECK: call void asm sideeffect "red.relaxed.gpu.global.add.noftz.f16x2
; CHECK-LABEL: define ptx_kernel void @bfloats(
; CHECK: call void asm sideeffect "red.relaxed.gpu.global.add.noftz.bf16x2
; CHECK-LABEL: define ptx_kernel void @older_target(
; CHECK-COUNT-2: atomicrmw fadd ptr addrspace(1)

; PTX: red.relaxed.gpu.global.add.v4.f32 [%rd{{[0-9]+}}], {
; PTX: red.relaxed.gpu.global.add.noftz.f16x2
define ptx_kernel void @four(ptr %d, <4 x float> %v) #0 {
  call void @kd.accumulate.v4f32.p0(ptr align 16 %d, <4 x float> %v, i32 5)
  ret void
}
define ptx_kernel void @badly_aligned(ptr %d, <4 x float> %v) #0 {
  call void @kd.accumulate.v4f32.p0(ptr align 8 %d, <4 x float> %v, i32 5)
  ret void
}
define ptx_kernel void @in_shared_memory(i32 %i, <2 x float> %v) #0 {
  %p = getelementptr <2 x float>, ptr addrspace(3) @shared, i32 %i
  call void @kd.accumulate.v2f32.p3(ptr addrspace(3) align 8 %p, <2 x float> %v, i32 5)
  ret void
}
define ptx_kernel void @halves(ptr %d, <2 x half> %v) #0 {
  call void @kd.accumulate.v2f16.p0(ptr align 4 %d, <2 x half> %v, i32 5)
  ret void
}
define ptx_kernel void @bfloats(ptr %d, <2 x bfloat> %v) #0 {
  call void @kd.accumulate.v2bf16.p0(ptr align 4 %d, <2 x bfloat> %v, i32 5)
  ret void
}
define ptx_kernel void @older_target(ptr %d, <2 x float> %v) #1 {
  call void @kd.accumulate.v2f32.p0(ptr align 8 %d, <2 x float> %v, i32 5)
  ret void
}
attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx81,+sm_90" }
attributes #1 = { "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }

declare void @kd.accumulate.v4f32.p0(ptr, <4 x float>, i32)
declare void @kd.accumulate.v2f32.p0(ptr, <2 x float>, i32)
declare void @kd.accumulate.v2f32.p3(ptr addrspace(3), <2 x float>, i32)
declare void @kd.accumulate.v2f16.p0(ptr, <2 x half>, i32)
declare void @kd.accumulate.v2bf16.p0(ptr, <2 x bfloat>, i32)
