; A thread gathers what others would add to its own word, where that is a function
; of their index in the launch and of memory that nobody writes: their distance is
; told by the addresses.
; RUN: split-file %s %t
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %t/f.ll 2>&1 | FileCheck %s --check-prefix=GATHERED
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %t/plane.ll 2>&1 | FileCheck %s --check-prefix=PLANE
; RUN: %opt -passes=kdiff -pass-remarks-analysis=kdiff -disable-output %t/f.ll 2>&1 | FileCheck %s --check-prefix=REMARK

; Seeds that are cleared when their thread is through.
; RUN: sed 's/!"kd_seed"/!"kd_dup"/' %t/f.ll > %t/a.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/a.ll 2>&1 | FileCheck %s
; A kernel that does more than the request: others may not make it.
; RUN: sed 's/;.fence: none/fence acquire/' %t/f.ll > %t/b.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/b.ll 2>&1 | FileCheck %s
; Somebody may write what is read.
; RUN: sed 's/@f(ptr noalias %%u, ptr noalias/@f(ptr %%u, ptr/' %t/f.ll > %t/c.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/c.ll 2>&1 | FileCheck %s
; The place in the block counts, or another register of the thread.
; RUN: sed 's/%%k = mul i32 %%i, 1/%%k = mul i32 %%t, 1/' %t/f.ll > %t/d.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/d.ll 2>&1 | FileCheck %s
; RUN: sed 's/%%k = mul i32 %%i, 1/%%k = call i32 @llvm.nvvm.read.ptx.sreg.laneid()/' %t/f.ll > %t/e.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/e.ll 2>&1 | FileCheck %s
; A branch is decided by arithmetic that another copy of it may round otherwise.
; RUN: sed 's/%%more = fcmp ogt float %%own,/%%more = fcmp ogt float %%square,/' %t/f.ll > %t/g.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/g.ll 2>&1 | FileCheck %s
; The own word would be one that is loaded.
; RUN: sed 's/%%n.word = add i32 %%n, 0/%%n.word = load i32, ptr %%k.at/' %t/f.ll > %t/h.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/h.ll 2>&1 | FileCheck %s
; Threads exchange something.
; RUN: sed 's/%%k = mul i32 %%i, 1/%%k = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %%i, i32 0, i32 31)/' %t/f.ll > %t/i.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/i.ll 2>&1 | FileCheck %s
; Sums are kept over many blocks, whose index the block's own is not.
; RUN: sed 's/%%square = fmul float %%own, %%own/%%one = load float, ptr %%u\n  %%square = fmul float %%own, %%one/' %t/f.ll > %t/k.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/k.ll 2>&1 | FileCheck %s
; One neighbour alone.
; RUN: sed 's/%%left = load float, ptr %%p.left/%%left = load float, ptr %%p.own/' %t/f.ll > %t/j.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/j.ll 2>&1 | FileCheck %s
; Loops.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %t/loop.ll 2>&1 | FileCheck %s
; Much to compute for few words.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %t/long.ll 2>&1 | FileCheck %s

; GATHERED: stencil addition for (0, 0, 0) as of %own: %own = load float
; GATHERED: stencil addition for (-1, 0, 0) as of %own: %left = load float
; GATHERED: stencil addition for (1 * %n, 0, 0) as of %own: %right = load float

; PLANE: stencil addition for (0, 0, 0) as of %own: %own = load float
; PLANE: stencil addition for (0, 1, 0) as of %own: %below = load float
; PLANE: stencil addition for (1, -1, 0) as of %own: %beside = load float
; PLANE: stencil addition for (0, -1 * %h, 0) as of %own: %slice = load float
; PLANE: contended addition: %odd = load float

; REMARK: gathered: added with what other threads read the word for, which the thread computes as well; one atomic addition
; REMARK: gathered: likely the word of another thread, or the thread's own, which adds it with all else; else an atomic addition

; CHECK-NOT: stencil addition
; CHECK: addition{{.*}}: %own = load
; CHECK-NOT: stencil addition

;--- f.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr noalias %u, ptr noalias %next, ptr noalias %k.at, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %size, %b
  %i = add i32 %t, %start
  %n.word = add i32 %n, 0
  %k = mul i32 %i, 1
  %first = add i32 %i, %n.word
  %p.own = getelementptr float, ptr %u, i32 %first
  %own = load float, ptr %p.own
  %square = fmul float %own, %own
  %more = fcmp ogt float %own, 1.0
  %low = icmp sgt i32 %k, 3
  %both = and i1 %more, %low
  br i1 %both, label %neighbours, label %done
neighbours:
  %i.left = sub i32 %first, 1
  %p.left = getelementptr float, ptr %u, i32 %i.left
  %left = load float, ptr %p.left
  %i.right = add i32 %first, %n
  %p.right = getelementptr float, ptr %u, i32 %i.right
  %right = load float, ptr %p.right
  %product = fmul float %left, %right
  br label %done
done:
  %r = phi float [ %square, %0 ], [ %product, %neighbours ]
  %q = getelementptr float, ptr %next, i32 %i
  store float %r, ptr %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare i32 @llvm.nvvm.shfl.sync.idx.i32(i32, i32, i32, i32)
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %u, ptr %du, ptr %y, ptr %dy, ptr %k, i32 %n) {
  ; fence: none
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %u, ptr %du, metadata !"kd_seed", ptr %y, ptr %dy, metadata !"kd_const", ptr %k, i32 %n)
  ret void
}

;--- plane.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr noalias %u, ptr noalias %next, i32 %w, i32 %h) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %nx = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %sx = mul i32 %nx, %bx
  %x = add i32 %tx, %sx
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %ny = call i32 @llvm.nvvm.read.ptx.sreg.ntid.y()
  %sy = mul i32 %ny, %by
  %y = add i32 %ty, %sy
  %row = mul nsw i32 %y, %w
  %i = add nsw i32 %row, %x
  %i64 = sext i32 %i to i64
  %p.own = getelementptr float, ptr %u, i64 %i64
  %own = load float, ptr %p.own
  %y1 = add nsw i32 %y, 1
  %row1 = mul nsw i32 %y1, %w
  %i1 = add nsw i32 %row1, %x
  %i1.64 = sext i32 %i1 to i64
  %p.below = getelementptr float, ptr %u, i64 %i1.64
  %below = load float, ptr %p.below
  %back = sub nsw i32 %i, %w
  %back64 = sext i32 %back to i64
  %p.back = getelementptr float, ptr %u, i64 %back64
  %p.beside = getelementptr i8, ptr %p.back, i64 4
  %beside = load float, ptr %p.beside
  %wh = mul nsw i32 %w, %h
  %before = sub nsw i32 %i, %wh
  %before64 = sext i32 %before to i64
  %p.slice = getelementptr float, ptr %u, i64 %before64
  %slice = load float, ptr %p.slice
  %odd.at = and i32 %i, 6
  %p.odd = getelementptr float, ptr %u, i32 %odd.at
  %odd = load float, ptr %p.odd
  %m1 = fmul float %own, %below
  %m2 = fmul float %m1, %beside
  %m3 = fmul float %m2, %slice
  %m4 = fmul float %m3, %odd
  %q = getelementptr float, ptr %next, i32 %i
  store float %m4, ptr %q
  ret void
}
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %u, ptr %du, ptr %y, ptr %dy, i32 %w, i32 %h) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %u, ptr %du, metadata !"kd_seed", ptr %y, ptr %dy, i32 %w, i32 %h)
  ret void
}

;--- loop.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr noalias %u, ptr noalias %next, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %size, %b
  %i = add i32 %t, %start
  br label %loop
loop:
  %j = phi i32 [ 0, %entry ], [ %j1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %at = add i32 %i, %j
  %p.own = getelementptr float, ptr %u, i32 %at
  %own = load float, ptr %p.own
  %p.left = getelementptr float, ptr %p.own, i32 -1
  %left = load float, ptr %p.left
  %p.right = getelementptr float, ptr %p.own, i32 1
  %right = load float, ptr %p.right
  %m1 = fmul float %own, %left
  %m2 = fmul float %m1, %right
  %sum1 = fadd float %sum, %m2
  %j1 = add nuw nsw i32 %j, 1
  %go = icmp slt i32 %j1, %n
  br i1 %go, label %loop, label %done
done:
  %q = getelementptr float, ptr %next, i32 %i
  store float %sum1, ptr %q
  ret void
}
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %u, ptr %du, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %u, ptr %du, metadata !"kd_seed", ptr %y, ptr %dy, i32 %n)
  ret void
}

;--- long.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr noalias %u, ptr noalias %next) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %size, %b
  %i = add i32 %t, %start
  %p.own = getelementptr float, ptr %u, i32 %i
  %own = load float, ptr %p.own
  %p.left = getelementptr float, ptr %p.own, i32 -1
  %left = load float, ptr %p.left
  %p.right = getelementptr float, ptr %p.own, i32 1
  %right = load float, ptr %p.right
  %m1 = fmul float %own, %left
  %m2 = fmul float %m1, %right
  %e1 = call float @__nv_expf(float %m2)
  %e2 = call float @__nv_sinf(float %e1)
  %e3 = call float @__nv_expf(float %e2)
  %q = getelementptr float, ptr %next, i32 %i
  store float %e3, ptr %q
  ret void
}
declare float @__nv_expf(float)
declare float @__nv_sinf(float)
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %u, ptr %du, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %u, ptr %du, metadata !"kd_seed", ptr %y, ptr %dy)
  ret void
}
