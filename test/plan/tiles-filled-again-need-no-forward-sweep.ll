; Where the result is not wanted, a tile is filled in the reverse sweep alone.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x float] undef, align 4

; CHECK: left out: store float %v, ptr addrspace(3) %p
; CHECK-NEXT: left out: call void @llvm.nvvm.barrier
; CHECK-NEXT: left out: call void @llvm.nvvm.barrier
; CHECK-NEXT: left out: store float %s.next.lcssa
; CHECK-NEXT: before the reverse of %loop fills again:
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = sub i32 31, %t
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %other
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %at = getelementptr [32 x float], ptr %x, i32 %i, i32 %t
  %v = load float, ptr %at
  store float %v, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = load float, ptr addrspace(3) %q
  %square = fmul float %r, %r
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %s.next = fadd float %s, %square
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %o = getelementptr float, ptr %y, i32 %t
  store float %s.next, ptr %o
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seednoneed", ptr %y, ptr %dy, i32 %n)
  ret void
}
