; Where a thread may touch shared memory in another way than by loads and stores,
; no word of it is proven to be a thread's own. The same where barriers need not
; be passed by all threads of the block together.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x float] undef

; CHECK-NOT: exclusive
; CHECK: contended addition: %own = load float
; CHECK-NOT: exclusive
; CHECK: contended addition: %half = load float
; CHECK-NOT: exclusive
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, ptr %z, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %px
  %p0 = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float %v, ptr addrspace(3) %p0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %old = atomicrmw fadd ptr addrspace(3) @tile, float 1.0 monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %own = load float, ptr addrspace(3) %p0
  %own2 = fmul float %own, %own
  store float %own2, ptr addrspace(3) %p0
  %py = getelementptr float, ptr %y, i32 %t
  store float %own2, ptr %py
  ret void
}

define ptx_kernel void @g(ptr noalias %x, ptr noalias %y, ptr %z, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %px
  %p0 = getelementptr float, ptr addrspace(3) @tile, i32 %t
  store float %v, ptr addrspace(3) %p0
  call void @llvm.nvvm.barrier.cta.sync.aligned.count(i32 1, i32 64)
  %half = load float, ptr addrspace(3) %p0
  %half2 = fmul float %half, %half
  store float %half2, ptr addrspace(3) %p0
  %py = getelementptr float, ptr %y, i32 %t
  store float %half2, ptr %py
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.sync.aligned.count(i32, i32)
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  call void (...) @__kd_autodiff(ptr @g, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
