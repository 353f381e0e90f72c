; What a loop carries is computed again from checkpoints also where lanes
; exchange values with shuffles, if they are together then: no branch in the
; loop, and the same lanes in every iteration.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: kept: %r = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1,
; CHECK: loop %loop, checkpoint every 8 iterations
; CHECK-NEXT: record of %loop: 8 bytes
; CHECK-NEXT: +0 4 %s
; CHECK-NOT: +
define ptx_kernel void @together(ptr %x, ptr %y, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  %double = fmul float %s, 2.0
  %r = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %double, i32 16, i32 31)
  %product = fmul float %s, %r
  %s.next = call float @llvm.sin.f32(float %product)
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

; A lane may be in another iteration when the others name it.
; CHECK: tape: %r = call float
; CHECK-NOT: checkpoint
define ptx_kernel void @other_lanes(ptr %x, ptr %y, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  %double = fmul float %s, 2.0
  %mask = call i32 @llvm.nvvm.activemask()
  %r = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 %mask, float %double, i32 16, i32 31)
  %product = fmul float %s, %r
  %s.next = call float @llvm.sin.f32(float %product)
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

; Half of the lanes need the result in a branch of their own.
; CHECK: tape: %r = call float
; CHECK-NOT: checkpoint
define ptx_kernel void @apart(ptr %x, ptr %y, i32 %n) {
entry:
  %v = load float, ptr %x
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %low = icmp ult i32 %lane, 16
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %latch ]
  %s = phi float [ %v, %entry ], [ %s.next, %latch ]
  %double = fmul float %s, 2.0
  %r = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %double, i32 16, i32 31)
  br i1 %low, label %then, label %latch
then:
  %sine = call float @llvm.sin.f32(float %r)
  %o = getelementptr float, ptr %y, i32 %i
  store float %sine, ptr %o
  br label %latch
latch:
  %s.next = fmul float %s, %r
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

declare float @llvm.sin.f32(float)
declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare i32 @llvm.nvvm.activemask()
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @together, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @other_lanes, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @apart, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
