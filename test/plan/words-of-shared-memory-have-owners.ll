; A thread that stores to a word of shared memory has it for itself between two
; barriers. One that reads at an index of its own has it in blocks that extend in
; x alone, as does the only one that comes there, unless another load may meet it.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x float] undef
@row = internal addrspace(3) global [64 x float] undef
@any = external addrspace(3) global [0 x float]

; Beside a store to it.
; CHECK: exclusive addition: %own = load float
; Neighbours, and nobody else reads that array unwitnessed.
; CHECK: exclusive-in-x addition: %next = load float
; Two different neighbours between the same barriers.
; CHECK: contended addition: %left = load float
; CHECK: contended addition: %right = load float
; The same index for all.
; CHECK: warp-uniform addition: %first = load float
; Arrays of dynamic size may overlap.
; CHECK: contended addition: %dynamic = load float
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, ptr %z, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %t1 = add i32 %t, 1
  %t2 = add i32 %t, 2
  %px = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %px
  %p0 = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %p1 = getelementptr float, ptr addrspace(3) @tile, i32 %t1
  %r0 = getelementptr float, ptr addrspace(3) @row, i32 %t
  %r2 = getelementptr float, ptr addrspace(3) @row, i32 %t2
  store float %v, ptr addrspace(3) %p0
  store float %v, ptr addrspace(3) %r0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %own = load float, ptr addrspace(3) %p0
  %next = load float, ptr addrspace(3) %p1
  %s = fmul float %own, %next
  store float %s, ptr addrspace(3) %p0
  %left = load float, ptr addrspace(3) %r0
  %right = load float, ptr addrspace(3) %r2
  %lr = fmul float %left, %right
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %first = load float, ptr addrspace(3) @tile
  %f1 = fmul float %first, %lr
  %py = getelementptr float, ptr %y, i32 %t
  store float %f1, ptr %py
  ret void
}

define ptx_kernel void @g(ptr noalias %x, ptr noalias %y, ptr %z, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %px
  %p0 = getelementptr float, ptr addrspace(3) @any, i32 %t
  store float %v, ptr addrspace(3) %p0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %dynamic = load float, ptr addrspace(3) %p0
  %d2 = fmul float %dynamic, %dynamic
  %py = getelementptr float, ptr %y, i32 %t
  store float %d2, ptr %py
  ret void
}

; One thread of a row comes there; in the loop, which one changes; in the last
; case, another load may meet it.
; CHECK: exclusive-in-x addition: %alone = load float
; CHECK: addition{{.*}}: %turns = load float
; CHECK-NOT: exclusive
; CHECK: addition{{.*}}: %met = load float
define ptx_kernel void @h(ptr noalias %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %px
  %p0 = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %py = getelementptr float, ptr %y, i32 %t
  store float %v, ptr addrspace(3) %p0
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %is.first = icmp eq i32 %t, 0
  br i1 %is.first, label %first, label %behind
first:
  %alone = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 4)
  %square = fmul float %alone, %alone
  store float %square, ptr %py
  br label %behind
behind:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %loop
loop:
  %i = phi i32 [ 0, %behind ], [ %i.next, %next ]
  %is.turn = icmp eq i32 %t, %i
  br i1 %is.turn, label %turn, label %next
turn:
  %turns = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 8)
  %cube = fmul float %turns, %turns
  store float %cube, ptr %py
  br label %next
next:
  %i.next = add i32 %i, 1
  %more = icmp ult i32 %i.next, %n
  br i1 %more, label %loop, label %last
last:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %other = load float, ptr addrspace(3) %p0
  %o2 = fmul float %other, %other
  store float %o2, ptr %py
  br i1 %is.first, label %meet, label %done
meet:
  %met = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @tile, i64 12)
  %m2 = fmul float %met, %met
  store float %m2, ptr %py
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  call void (...) @__kd_autodiff(ptr @g, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  call void (...) @__kd_autodiff(ptr @h, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
