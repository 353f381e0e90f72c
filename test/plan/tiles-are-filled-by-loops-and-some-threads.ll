; Tiles that an inner loop or some of the threads fill are filled again, if which
; words that are is the same in every iteration.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x float] undef, align 4

; CHECK: reload: %r = load float, ptr addrspace(3) %q
; CHECK: before the reverse of %rest fills again:
; CHECK-NEXT: store float %v, ptr addrspace(3) %p, align 4, if %fills
define ptx_kernel void @some_threads(ptr noalias %x, ptr noalias %y, i32 %n, i32 %size) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = sub i32 31, %t
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %other
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %rest ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %rest ]
  %fills = icmp ult i32 %t, 32
  br i1 %fills, label %fill, label %rest
fill:
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %at = getelementptr [64 x float], ptr %x, i32 %i, i32 %t
  %v = load float, ptr %at
  store float %v, ptr addrspace(3) %p
  br label %rest
rest:
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

; CHECK: reload: %r = load float, ptr addrspace(3) %q
; CHECK: before the reverse of %rest fills again:
; CHECK-NEXT: store float %v, ptr addrspace(3) %p, align 4, in the loop %fill
define ptx_kernel void @in_a_loop(ptr noalias %x, ptr noalias %y, i32 %n, i32 %size) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = sub i32 31, %t
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %other
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %rest ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %rest ]
  %bound = mul i32 %size, 2
  br label %fill
fill:
  %e = phi i32 [ %t, %loop ], [ %e.next, %fill ]
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %e
  %at = getelementptr [64 x float], ptr %x, i32 %i, i32 %e
  %v = load float, ptr %at
  store float %v, ptr addrspace(3) %p
  %e.next = add nsw i32 %e, 32
  %again = icmp slt i32 %e.next, %bound
  br i1 %again, label %fill, label %rest
rest:
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

; An iteration may read what another one stored.
; CHECK: tape: %r = load float
; CHECK-NOT: fills again
define ptx_kernel void @other_threads_each_time(ptr noalias %x, ptr noalias %y, i32 %n, i32 %size) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = sub i32 31, %t
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %other
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %rest ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %rest ]
  %fills = icmp ne i32 %t, %i
  br i1 %fills, label %fill, label %rest
fill:
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %t
  %at = getelementptr [64 x float], ptr %x, i32 %i, i32 %t
  %v = load float, ptr %at
  store float %v, ptr addrspace(3) %p
  br label %rest
rest:
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

; CHECK: tape: %r = load float
; CHECK-NOT: fills again
define ptx_kernel void @other_words_each_time(ptr noalias %x, ptr noalias %y, i32 %n, i32 %size) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %other = sub i32 31, %t
  %q = getelementptr float, ptr addrspace(3) @tile, i32 %other
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %rest ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %rest ]
  %bound = mul i32 %size, %i
  br label %fill
fill:
  %e = phi i32 [ %t, %loop ], [ %e.next, %fill ]
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %e
  %at = getelementptr [64 x float], ptr %x, i32 %i, i32 %e
  %v = load float, ptr %at
  store float %v, ptr addrspace(3) %p
  %e.next = add nsw i32 %e, 32
  %again = icmp slt i32 %e.next, %bound
  br i1 %again, label %fill, label %rest
rest:
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
  call void (...) @__kd_autodiff(ptr @some_threads, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n, i32 7)
  call void (...) @__kd_autodiff(ptr @in_a_loop, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n, i32 7)
  call void (...) @__kd_autodiff(ptr @other_threads_each_time, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n, i32 7)
  call void (...) @__kd_autodiff(ptr @other_words_each_time, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n, i32 7)
  ret void
}
