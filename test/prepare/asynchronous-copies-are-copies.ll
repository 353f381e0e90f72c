; An asynchronous copy is one at its issue; the waits have nothing left to wait for.
; What a copy does not bring is zero.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @f.kdiff(
; CHECK-NOT: asm
; CHECK-NOT: cp.async
; CHECK: %[[A:.*]] = load float, ptr
; CHECK: store float %[[A]], ptr addrspace(3) %p
; CHECK: load <4 x float>, ptr
; CHECK: store <4 x float> {{.*}}, ptr addrspace(3) @vectors
; CHECK: call void @llvm.memset{{.*}}, i8 0, i64 16,
; CHECK: call void @llvm.memcpy{{.*}}, i64 8,
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NOT: asm
; CHECK: ret void
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %n
  %a = ptrtoint ptr addrspace(3) %p to i64
  %t = trunc i64 %a to i32
  call void asm sideeffect "cp.async.ca.shared.global [$0], [$1], $2, $3;", "r,l,n,n,~{memory}"(i32 %t, ptr %x, i64 4, i64 4)
  call void asm sideeffect "cp.async.cg.shared.global [$0], [$1], $2;", "r,l,n,~{memory}"(i32 ptrtoint (ptr addrspace(3) @vectors to i32), ptr %x, i32 16)
  %xg = addrspacecast ptr %x to ptr addrspace(1)
  %second = getelementptr i8, ptr addrspace(3) @vectors, i32 16
  call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) %second, ptr addrspace(1) %xg, i32 8)
  call void asm sideeffect "cp.async.commit_group;", ""()
  call void asm sideeffect "cp.async.wait_group $0;", "n"(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load float, ptr addrspace(3) @tile
  %w = load <4 x float>, ptr addrspace(3) @vectors
  %u = load <4 x float>, ptr addrspace(3) %second
  %s = fadd <4 x float> %w, %u
  %e = extractelement <4 x float> %s, i32 0
  %r = fadd float %v, %e
  store float %r, ptr %y
  ret void
}
@tile = internal addrspace(3) global [32 x float] undef
@vectors = internal addrspace(3) global [2 x <4 x float>] undef, align 16
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3), ptr addrspace(1), i32)
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
