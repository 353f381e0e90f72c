; What a mark says of memory must hold, or its shadow would be wrong: an error at
; the access that breaks it.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/read.ll 2>&1 | FileCheck %t/read.ll
; RUN: not %opt -passes=kdiff -disable-output %t/twice.ll 2>&1 | FileCheck %t/twice.ll
; RUN: not %opt -passes=kdiff -disable-output %t/added-then-stored.ll 2>&1 | FileCheck %t/added-then-stored.ll
; RUN: not %opt -passes=kdiff -disable-output %t/in-loop.ll 2>&1 | FileCheck %t/in-loop.ll
; RUN: not %opt -passes=kdiff -disable-output %t/stride-may-be-zero.ll 2>&1 | FileCheck %t/stride-may-be-zero.ll
; RUN: not %opt -passes=kdiff -disable-output %t/by-another-thread.ll 2>&1 | FileCheck %t/by-another-thread.ll
; RUN: not %opt -passes=kdiff -disable-output %t/by-a-fence.ll 2>&1 | FileCheck %t/by-a-fence.ll
; RUN: not %opt -passes=kdiff -disable-output %t/at-another-barrier.ll 2>&1 | FileCheck %t/at-another-barrier.ll
; RUN: not %opt -passes=kdiff -disable-output %t/stored-address.ll 2>&1 | FileCheck %t/stored-address.ll
; RUN: not %opt -passes=kdiff -disable-output %t/mixed.ll 2>&1 | FileCheck %t/mixed.ll
; RUN: not %opt -passes=kdiff -disable-output %t/fresh-written.ll 2>&1 | FileCheck %t/fresh-written.ll
; RUN: not %opt -passes=kdiff -disable-output %t/fresh-shared.ll 2>&1 | FileCheck %t/fresh-shared.ll
; RUN: not %opt -passes=kdiff -disable-output %t/fresh-neighbours.ll 2>&1 | FileCheck %t/fresh-neighbours.ll
; RUN: not %opt -passes=kdiff -disable-output %t/fresh-on-one-way.ll 2>&1 | FileCheck %t/fresh-on-one-way.ll
; RUN: not %opt -passes=kdiff -disable-output %t/fresh-by-atomics.ll 2>&1 | FileCheck %t/fresh-by-atomics.ll
; RUN: not %opt -passes=kdiff -disable-output %t/fresh-unused.ll 2>&1 | FileCheck %t/fresh-unused.ll

;--- read.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'y', marked kd_seed, is read here: mark it kd_dup
define ptx_kernel void @f(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %w = load float, ptr %y
  %s = fadd float %v, %w
  store float %s, ptr %y
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy)
  ret void
}

;--- twice.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'y', marked kd_seed, may be overwritten here where it was written before
define ptx_kernel void @f(ptr %x, ptr %y, i64 %i) {
  %v = load float, ptr %x
  %p = getelementptr float, ptr %y, i64 %i
  store float %v, ptr %p
  store float 1.0, ptr %y
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i64 %i) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy, i64 %i)
  ret void
}

;--- added-then-stored.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'y', marked kd_seed, may be overwritten here
define ptx_kernel void @f(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %w = atomicrmw fadd ptr %y, float %v monotonic
  store float %v, ptr %y
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy)
  ret void
}

;--- in-loop.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'y', marked kd_seed, may be overwritten here
define ptx_kernel void @f(ptr %x, ptr %y, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %at
  %v = load float, ptr %p
  %half = lshr i64 %at, 1
  %q = getelementptr float, ptr %y, i64 %half
  store float %v, ptr %q
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy, i32 %n)
  ret void
}

;--- stride-may-be-zero.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'y', marked kd_seed, may be overwritten here
define ptx_kernel void @f(ptr %x, ptr %y, i32 %n, i64 %stride) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %at = sext i32 %i to i64
  %far = mul nsw i64 %at, %stride
  %p = getelementptr float, ptr %x, i64 %at
  %v = load float, ptr %p
  %q = getelementptr float, ptr %y, i64 %far
  store float %v, ptr %q
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n, i64 %stride) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy, i32 %n, i64 %stride)
  ret void
}

;--- by-another-thread.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'y', marked kd_seed, may be overwritten here
define ptx_kernel void @f(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = getelementptr inbounds float, ptr %q, i64 1
  store float %v, ptr %next
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy)
  ret void
}

;--- by-a-fence.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.membar.gl()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'y', marked kd_seed, may be overwritten here
define ptx_kernel void @f(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %q
  call void @llvm.nvvm.membar.gl()
  %next = getelementptr inbounds float, ptr %q, i64 1
  store float %v, ptr %next
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy)
  ret void
}

;--- at-another-barrier.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'y', marked kd_seed, may be overwritten here
define ptx_kernel void @f(ptr %x, ptr %y, i1 %c) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  br i1 %c, label %one, label %two
one:
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %v, ptr %q
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  br label %done
two:
  call void @llvm.nvvm.barrier.cta.sync.all(i32 0)
  store float %v, ptr %y
  br label %done
done:
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i1 %c) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy, i1 %c)
  ret void
}

;--- stored-address.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'y', marked kd_seed, is stored to memory
define ptx_kernel void @f(ptr %x, ptr %y) {
  %local = alloca ptr
  %v = load float, ptr %x
  %slot = getelementptr ptr, ptr %local, i64 0
  store volatile ptr %y, ptr %slot
  store float %v, ptr %y
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy)
  ret void
}

;--- mixed.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'y', marked kd_seed, and other memory are accessed by one instruction
define ptx_kernel void @f(ptr %x, ptr %y, i1 %c) {
  %v = load float, ptr %x
  %p = select i1 %c, ptr %x, ptr %y
  store float %v, ptr %p
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i1 %c) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy, i1 %c)
  ret void
}

;--- fresh-written.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'x', marked kd_fresh, is written here
define ptx_kernel void @f(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %s = fmul float %v, %v
  store float %s, ptr %x
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_fresh", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}

;--- fresh-shared.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'x', marked kd_fresh, may be read here by several threads
define ptx_kernel void @f(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %half = lshr i64 %i, 1
  %p = getelementptr inbounds float, ptr %x, i64 %half
  %v = load float, ptr %p
  %s = fmul float %v, %v
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_fresh", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}

;--- fresh-neighbours.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'x', marked kd_fresh, may be read here by several threads
define ptx_kernel void @f(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  %n = getelementptr inbounds float, ptr %p, i64 1
  %w = load float, ptr %n
  %s = fmul float %v, %w
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_fresh", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}

;--- fresh-on-one-way.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @__nv_expf(float)
; CHECK: error: {{.*}}argument 'x', marked kd_fresh, may be read here by several threads
define ptx_kernel void @f(ptr %x, ptr %y, i1 %c) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  br i1 %c, label %then, label %done
then:
  %v = load float, ptr %p
  %e = call float @__nv_expf(float %v)
  br label %done
done:
  %s = phi float [ %e, %then ], [ 1.0, %entry ]
  %q = getelementptr inbounds float, ptr %y, i64 %i
  store float %s, ptr %q
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i1 %c) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_fresh", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i1 %c)
  ret void
}

;--- fresh-by-atomics.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'x', marked kd_fresh, may be read here by several threads
define ptx_kernel void @f(ptr %x, ptr %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = sext i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %i
  %v = load float, ptr %p
  %s = fmul float %v, %v
  %q = getelementptr inbounds float, ptr %y, i64 %i
  %old = atomicrmw fadd ptr %q, float %s monotonic
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_fresh", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}

;--- fresh-unused.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
; CHECK: error: {{.*}}argument 'x', marked kd_fresh, gets no derivative
define ptx_kernel void @f(ptr %x, ptr %y) {
  %v = load float, ptr %y
  %s = fmul float %v, %v
  store float %s, ptr %y
  ret void
}
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_fresh", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
