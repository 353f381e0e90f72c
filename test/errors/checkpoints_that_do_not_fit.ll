; A mark for snapshots that does not fit its loop, or that cannot be obeyed, is an
; error at its line or the loop's.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/nowhere.ll 2>&1 | FileCheck %t/nowhere.ll
; RUN: not %opt -passes=kdiff -disable-output %t/not-constant.ll 2>&1 | FileCheck %t/not-constant.ll
; RUN: not %opt -passes=kdiff -disable-output %t/too-few.ll 2>&1 | FileCheck %t/too-few.ll
; RUN: not %opt -passes=kdiff -disable-output %t/nested.ll 2>&1 | FileCheck %t/nested.ll
; RUN: not %opt -passes=kdiff -disable-output %t/overwritten.ll 2>&1 | FileCheck %t/overwritten.ll

;--- nowhere.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare float @llvm.sin.f32(float)
define internal void @__kd_checkpoint(i32) {
  ret void
}
; CHECK: error: {{.*}}__kd_checkpoint is in no loop: call it in the body of the loop that is to keep snapshots
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, i32 %n) {
  %v = load float, ptr %x
  call void @__kd_checkpoint(i32 5)
  store float %v, ptr %y
  ret void
}

define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

;--- not-constant.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare float @llvm.sin.f32(float)
define internal void @__kd_checkpoint(i32) {
  ret void
}
; CHECK: error: {{.*}}__kd_checkpoint takes one constant, the number of snapshots, from 2 to 1024
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  call void @__kd_checkpoint(i32 %n)
  %sine = call float @llvm.sin.f32(float %s)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

;--- too-few.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare float @llvm.sin.f32(float)
define internal void @__kd_checkpoint(i32) {
  ret void
}
; CHECK: error: {{.*}}__kd_checkpoint takes one constant, the number of snapshots, from 2 to 1024
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  call void @__kd_checkpoint(i32 1)
  %sine = call float @llvm.sin.f32(float %s)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

;--- nested.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare float @llvm.sin.f32(float)
define internal void @__kd_checkpoint(i32) {
  ret void
}
; CHECK: error: {{.*}}with __kd_checkpoint in a loop within another one
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  %c = phi float [ %v, %entry ], [ %s.next, %latch ]
  br label %loop
loop:
  %i = phi i32 [ 0, %outer ], [ %i.next, %loop ]
  %s = phi float [ %c, %outer ], [ %s.next, %loop ]
  call void @__kd_checkpoint(i32 5)
  %sine = call float @llvm.sin.f32(float %s)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %latch
latch:
  %k.next = add nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %outer, label %done
done:
  store float %s.next, ptr %y
  ret void
}

define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}

;--- overwritten.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare float @llvm.sin.f32(float)
define internal void @__kd_checkpoint(i32) {
  ret void
}
; CHECK: error: {{.*}}with __kd_checkpoint in a loop whose iterations cannot be run again from what they carry
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  call void @__kd_checkpoint(i32 5)
  %sine = call float @llvm.sin.f32(float %s)
  %q = getelementptr float, ptr %y, i32 %i
  %u = load float, ptr %q
  store float %s, ptr %q
  %s.next = fmul float %u, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
