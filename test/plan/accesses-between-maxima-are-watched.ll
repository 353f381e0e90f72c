; Between two atomic maxima of a word its derivative would belong to somebody that
; split mode does not know. Memory that may be the same is tested by each launch.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s --check-prefix=EMIT

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Not what restrict tells apart, what is not differentiated, and what comes before
; all maxima or behind all of them.
; CHECK-NOT: watches
; CHECK: watches   %v = load float, ptr addrspace(1) %p
; CHECK-NOT: watches
; EMIT-COUNT-1: call void @kd.tape.watch(ptr %{{.*}}, i64 %{{.*}}, i32 4)
; EMIT-NEXT: %v = load float
; EMIT-NOT: kd.tape.watch(ptr %{{.*}}, i64
define ptx_kernel void @f(ptr %x, ptr noalias %r, ptr %k, ptr %m, i32 %n) {
entry:
  %first = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %q = getelementptr float, ptr %r, i32 %i
  %w = load float, ptr %q
  %j = getelementptr i32, ptr %k, i32 %i
  %at = load i32, ptr %j
  %vw = fmul float %v, %w
  %z = fadd float %vw, %first
  %bits = bitcast float %z to i32
  %word = getelementptr float, ptr %m, i32 %at
  %old = atomicrmw max ptr %word, i32 %bits seq_cst
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %last = load float, ptr %m
  store float %last, ptr %x
  ret void
}

declare void @__kd_augment(...)
define void @augment(ptr %tape, ptr %x, ptr %dx, ptr %r, ptr %dr, ptr %k, ptr %m, ptr %dm, i32 %n) {
  call void (...) @__kd_augment(ptr @f, ptr %tape, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %r, ptr %dr, metadata !"kd_const", ptr %k, metadata !"kd_dup", ptr %m, ptr %dm, i32 %n)
  ret void
}
