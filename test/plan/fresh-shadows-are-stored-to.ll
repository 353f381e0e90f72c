; kd_fresh: the store to y[i] tells threads apart by i, so that x[2i] and
; x[2i + 1] are this thread's own, and each is read once: stores, no additions.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=kdiff -S %s | FileCheck %s --check-prefix=LOWER

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: overwriting addition: %v = load float
; CHECK: overwriting addition: %w = load float
; LOWER-LABEL: define ptx_kernel void @request(
; LOWER-NOT: atomicrmw
; LOWER: store float %{{.*}}, ptr addrspace(1) %d.
; LOWER-NOT: atomicrmw
define ptx_kernel void @f(ptr %x, ptr %y, i32 %n, i32 %stride) {
entry:
  %first = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %any = icmp slt i32 %first, %n
  br i1 %any, label %loop, label %done
loop:
  %i = phi i32 [ %first, %entry ], [ %i.next, %loop ]
  %at = sext i32 %i to i64
  %two = mul nsw i64 %at, 2
  %p = getelementptr inbounds float, ptr %x, i64 %two
  %v = load float, ptr %p
  %q = getelementptr inbounds i8, ptr %p, i64 4
  %w = load float, ptr %q
  %r = fmul float %v, %w
  %o = getelementptr inbounds float, ptr %y, i64 %at
  store float %r, ptr %o
  %i.next = add nsw i32 %i, %stride
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n, i32 %stride) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_fresh", ptr %x, ptr %dx, metadata !"kd_seednoneed", ptr %y, ptr %dy, i32 %n, i32 %stride)
  ret void
}
