; Groups of as many lanes as each has doubles to add transpose them by exchanges
; and add those of one lane after the other; lanes of which some are missing add
; for themselves. Not in shared memory, and not of other numbers of words.
; RUN: %opt -passes='kdiff-lower,default<O2>' -S %s | FileCheck %s --implicit-check-not=kd.accumulate

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [32 x double] undef

; Four times log2(4) / 2 exchanges of a double, and four addresses: two words each.
; CHECK-LABEL: define ptx_kernel void @four(
; CHECK: [[MASK:%.*]] = tail call i32 @llvm.nvvm.activemask()
; CHECK-COUNT-4: atomicrmw fadd ptr addrspace(1)
; CHECK-COUNT-16: @llvm.nvvm.shfl.sync.idx.i32(i32 [[MASK]]
; CHECK-NOT: shfl
; CHECK-LABEL: define ptx_kernel void @eight(
; CHECK: activemask
; CHECK-LABEL: define ptx_kernel void @in_shared_memory(
; CHECK-NOT: shfl
; CHECK-COUNT-4: atomicrmw fadd ptr addrspace(3)
; CHECK-LABEL: define ptx_kernel void @two(
; CHECK-NOT: shfl
; CHECK-COUNT-2: atomicrmw fadd ptr addrspace(1)
define ptx_kernel void @four(ptr %d, <4 x double> %v) #0 {
  call void @kd.accumulate.v4f64.p0(ptr align 8 %d, <4 x double> %v, i32 5)
  ret void
}
define ptx_kernel void @eight(ptr %d, <8 x double> %v) #0 {
  call void @kd.accumulate.v8f64.p0(ptr align 8 %d, <8 x double> %v, i32 5)
  ret void
}
define ptx_kernel void @in_shared_memory(i32 %i, <4 x double> %v) #0 {
  %p = getelementptr double, ptr addrspace(3) @shared, i32 %i
  call void @kd.accumulate.v4f64.p3(ptr addrspace(3) align 8 %p, <4 x double> %v, i32 5)
  ret void
}
define ptx_kernel void @two(ptr %d, <2 x double> %v) #0 {
  call void @kd.accumulate.v2f64.p0(ptr align 8 %d, <2 x double> %v, i32 5)
  ret void
}

declare void @kd.accumulate.v2f64.p0(ptr, <2 x double>, i32)
declare void @kd.accumulate.v4f64.p0(ptr, <4 x double>, i32)
declare void @kd.accumulate.v8f64.p0(ptr, <8 x double>, i32)
declare void @kd.accumulate.v4f64.p3(ptr addrspace(3), <4 x double>, i32)
attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx81,+sm_90" }
