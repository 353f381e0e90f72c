; A loop fills a tile and reads it. What it read is not taped: the reverse of an
; iteration fills the tile again. Each kernel below the first breaks one thing
; that the proof needs.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [32 x float] undef, align 4
@first = internal addrspace(3) global [32 x float] undef, align 4
@two = internal addrspace(3) global [2 x [32 x float]] undef, align 4

; The barriers of the primal are passed in the reverse sweep too: no other is
; needed.
; CHECK-NOT: tape:
; CHECK: reload: %r = load float, ptr addrspace(3) %q
; CHECK-NOT: tape:
; CHECK: before the reverse of %loop fills again:
; CHECK-NEXT: store float %v, ptr addrspace(3) %p
; CHECK-NOT: record
define ptx_kernel void @whole(ptr noalias %x, ptr noalias %y, i32 %n) {
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

; No barrier comes behind the reads.
; CHECK: reload: %r = load float, ptr addrspace(3) %q
; CHECK: before the reverse of %loop fills again, then waits:
define ptx_kernel void @barriers_first(ptr noalias %x, ptr noalias %y, i32 %n) {
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
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store float %v, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = load float, ptr addrspace(3) %q
  %square = fmul float %r, %r
  %s.next = fadd float %s, %square
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %o = getelementptr float, ptr %y, i32 %t
  store float %s.next, ptr %o
  ret void
}

; What is read before the second barrier is used behind it.
; CHECK: reload: %r = load float, ptr addrspace(3) %q
; CHECK: before the reverse of %loop fills again, then waits:
define ptx_kernel void @used_later(ptr noalias %x, ptr noalias %y, i32 %n) {
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
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %square = fmul float %r, %r
  %s.next = fadd float %s, %square
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %o = getelementptr float, ptr %y, i32 %t
  store float %s.next, ptr %o
  ret void
}

; The last tile is read behind the loop as well, where no barrier keeps those
; reads apart from the first fill.
; CHECK: reload: %r = load float, ptr addrspace(3) %q
; CHECK: before the reverse of %loop, waits, then fills again:
define ptx_kernel void @read_behind(ptr noalias %x, ptr noalias %y, i32 %n) {
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
  %r.behind = load float, ptr addrspace(3) %q
  %scaled = fmul float %s.next, %r.behind
  %o = getelementptr float, ptr %y, i32 %t
  store float %scaled, ptr %o
  ret void
}

; Which words are written differs from iteration to iteration.
; CHECK: tape: %r = load float
define ptx_kernel void @two_tiles(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = sub i32 31, %t
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %which = and i32 %i, 1
  %p = getelementptr [32 x float], ptr addrspace(3) @two, i32 %which, i32 %t
  %q = getelementptr [32 x float], ptr addrspace(3) @two, i32 %which, i32 %other
  %at = getelementptr [32 x float], ptr %x, i32 %i, i32 %t
  %v = load float, ptr %at
  store float %v, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = load float, ptr addrspace(3) %q
  %square = fmul float %r, %r
  %s.next = fadd float %s, %square
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %o = getelementptr float, ptr %y, i32 %t
  store float %s.next, ptr %o
  ret void
}

; An iteration that does not fill the tile reads an earlier one.
; CHECK: tape: %r = load float
define ptx_kernel void @some_iterations(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = sub i32 31, %t
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %other
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %latch ]
  %rest = urem i32 %i, 3
  %is.third = icmp eq i32 %rest, 0
  br i1 %is.third, label %fill, label %latch
fill:
  %at = getelementptr [32 x float], ptr %x, i32 %i, i32 %t
  %v = load float, ptr %at
  store float %v, ptr addrspace(3) %p
  br label %latch
latch:
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

; The tile is updated behind the read, in the same iteration.
; CHECK: tape: %r = load float
define ptx_kernel void @updated(ptr noalias %x, ptr noalias %y, i32 %n) {
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
  store float 1.0, ptr addrspace(3) %q
  %s.next = fadd float %s, %square
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %o = getelementptr float, ptr %y, i32 %t
  store float %s.next, ptr %o
  ret void
}

; The tile is filled from another one, which is not there yet at that time. That
; one is filled again.
; CHECK: tape: %r = load float, ptr addrspace(3) %q,
; CHECK: before the reverse of %loop fills again:
; CHECK-NEXT: store float %v, ptr addrspace(3) %p.first
; CHECK-NEXT: record
define ptx_kernel void @in_two_steps(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = sub i32 31, %t
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %other
  %p.first = getelementptr float, ptr addrspace(3) @first, i32 %t
  %q.first = getelementptr float, ptr addrspace(3) @first, i32 %other
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %at = getelementptr [32 x float], ptr %x, i32 %i, i32 %t
  %v = load float, ptr %at
  store float %v, ptr addrspace(3) %p.first
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load float, ptr addrspace(3) %q.first
  %w.square = fmul float %w, %w
  store float %w.square, ptr addrspace(3) %p
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

; No barrier of the whole block: it is not known that all threads take part.
; CHECK: tape: %r = load float
define ptx_kernel void @warps(ptr noalias %x, ptr noalias %y, i32 %n) {
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
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %r = load float, ptr addrspace(3) %q
  %square = fmul float %r, %r
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
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
declare void @llvm.nvvm.bar.warp.sync(i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @whole, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @barriers_first, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @used_later, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @read_behind, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @two_tiles, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @some_iterations, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @updated, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @in_two_steps, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
define ptx_kernel void @request_of_all(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @warps, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
