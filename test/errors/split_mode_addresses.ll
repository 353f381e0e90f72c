; Split mode: an address of local or shared memory means nothing in the launch of
; the reverse sweep. It is refused where it would be kept: in memory, on the tape,
; by a recursive function. In one launch the same is right.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/stored.ll 2>&1 | FileCheck %t/stored.ll
; RUN: not %opt -passes=kdiff -disable-output %t/path.ll 2>&1 | FileCheck %t/path.ll
; RUN: not %opt -passes=kdiff -disable-output %t/recursion.ll 2>&1 | FileCheck %t/recursion.ll
; RUN: sed 's/augment/autodiff/; s/ptr .tape, metadata/metadata/' %t/stored.ll | %opt -passes=kdiff -disable-output
; RUN: sed 's/augment/autodiff/; s/ptr .tape, metadata/metadata/' %t/path.ll | %opt -passes=kdiff -disable-output
; RUN: sed 's/augment/autodiff/; s/ptr .tape, metadata/metadata/' %t/recursion.ll | %opt -passes=kdiff -disable-output

;--- stored.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_augment(...)
; CHECK: error: {{.*}}cannot differentiate the address of local or shared memory, kept in memory from one launch of split mode to the other: keep an index instead, or use __kd_autodiff
define void @f(ptr %x, ptr %y, i32 %n) {
  %cells = alloca [4 x float]
  %heads = alloca [4 x ptr]
  %v = load float, ptr %x
  %cell = getelementptr float, ptr %cells, i32 %n
  store float %v, ptr %cell
  %head = getelementptr ptr, ptr %heads, i32 %n
  store ptr %cell, ptr %head
  %any = getelementptr ptr, ptr %heads, i32 0
  %p = load ptr, ptr %any
  %w = load float, ptr %p
  %s = fmul float %w, %w
  store float %s, ptr %y
  ret void
}
define void @request(ptr %tape, ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_augment(ptr @f, ptr %tape, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

;--- path.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_augment(...)
; CHECK: error: {{.*}}cannot differentiate an address of local or shared memory that depends on the path taken, where the reverse sweep is another launch: choose by an index instead
@one = internal addrspace(3) global [32 x float] poison
@two = internal addrspace(3) global [32 x float] poison
define void @f(ptr %x, ptr %y, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %from = phi ptr addrspace(3) [ @one, %entry ], [ %to, %loop ]
  %to = phi ptr addrspace(3) [ @two, %entry ], [ %from, %loop ]
  %v = load float, ptr addrspace(3) %from
  %w = load float, ptr %x
  %s = fmul float %v, %w
  store float %s, ptr addrspace(3) %to
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add nsw i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  %r = load float, ptr addrspace(3) %to
  store float %r, ptr %y
  ret void
}
define void @request(ptr %tape, ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_augment(ptr @f, ptr %tape, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

;--- recursion.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_augment(...)
; CHECK: error: {{.*}}cannot differentiate recursion (a call of 'g') with the address of local or shared memory in split mode
define float @g(ptr %p, i32 %n) noinline {
entry:
  %v = load float, ptr %p
  %more = icmp sgt i32 %n, 0
  br i1 %more, label %deeper, label %done
deeper:
  %less = sub i32 %n, 1
  %rest = call float @g(ptr %p, i32 %less)
  %s = fmul float %rest, %v
  ret float %s
done:
  ret float %v
}
define void @f(ptr %x, ptr %y, i32 %n) {
  %cells = alloca [4 x float]
  %v = load float, ptr %x
  %cell = getelementptr float, ptr %cells, i32 %n
  store float %v, ptr %cell
  %s = call float @g(ptr %cells, i32 %n)
  store float %s, ptr %y
  ret void
}
define void @request(ptr %tape, ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_augment(ptr @f, ptr %tape, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
