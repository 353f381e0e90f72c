; A thread of a kernel that returns early ends, while others wait for each other
; at barriers that it never comes to. Its derivative goes on: it must not wait
; for the block between the sweeps or at the end. Shadows in shared memory are
; cleared before threads part, sums are those of a warp, and one that lacked
; tape ends.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@tile = internal addrspace(3) global [64 x float] poison, align 4

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

; CHECK-LABEL: define internal void @kdiff.grad.early(
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NEXT: call void @kd.shared.zero(
; CHECK-NEXT: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: icmp slt i32 %{{.*}}, %n
; CHECK-NOT: barrier.cta.red
; CHECK-NOT: @kd.shared.zero(
; CHECK: @kd.accumulate.all.f32(i32 4,
define ptx_kernel void @early(ptr noalias %x, ptr noalias %y, float %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %work, label %end
work:
  call void @body(ptr %x, ptr %y, float %a, i32 %t)
  br label %end
end:
  ret void
}

; All threads of the block, or none.
; CHECK-LABEL: define internal void @kdiff.grad.same(
; CHECK: icmp sgt i32 %n, 0
; CHECK: call void @kd.shared.zero(
; CHECK: @kd.accumulate.all.f32(i32 3,
define ptx_kernel void @same(ptr noalias %x, ptr noalias %y, float %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp sgt i32 %n, 0
  br i1 %in, label %work, label %end
work:
  call void @body(ptr %x, ptr %y, float %a, i32 %t)
  br label %end
end:
  ret void
}

; Which way a thread came may tell it from others.
; CHECK-LABEL: define internal void @kdiff.grad.ways(
; CHECK: @kd.accumulate.all.f32(i32 4,
define ptx_kernel void @ways(ptr noalias %x, ptr noalias %y, float %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, 40
  br i1 %in, label %some, label %join
some:
  store float 0.0, ptr %y
  br label %join
join:
  %go = phi i1 [ true, %some ], [ false, %entry ]
  br i1 %go, label %work, label %end
work:
  call void @body(ptr %x, ptr %y, float %a, i32 %t)
  br label %end
end:
  ret void
}

; With a tape.
; CHECK-LABEL: define internal void @kdiff.grad.taping(
; CHECK-NOT: barrier.cta.red
; CHECK: %[[EXHAUSTED:.*]] = call i1 @kd.tape.exhausted(
; CHECK-NEXT: br i1 %[[EXHAUSTED]], label %rev.exhausted,
; CHECK: rev.exhausted:
; CHECK-NEXT: call void @kd.tape.close(
; CHECK-NEXT: call void asm sideeffect "exit;", ""()
; CHECK-NEXT: unreachable
define ptx_kernel void @taping(ptr noalias %x, ptr noalias %y, float %a, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %in = icmp slt i32 %t, %n
  br i1 %in, label %loop, label %end
loop:
  %k = phi i32 [ 0, %entry ], [ %k.next, %loop ]
  call void @body(ptr %x, ptr %y, float %a, i32 %t)
  call void @body(ptr %y, ptr %x, float %a, i32 %t)
  %k.next = add i32 %k, 1
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

define internal void @body(ptr %x, ptr %y, float %a, i32 %t) {
  %xt = getelementptr float, ptr %x, i32 %t
  %v = load float, ptr %xt
  %av = fmul float %a, %v
  %mine = getelementptr [64 x float], ptr addrspace(3) @tile, i32 0, i32 %t
  store float %av, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %o = xor i32 %t, 1
  %other = getelementptr [64 x float], ptr addrspace(3) @tile, i32 0, i32 %o
  %w = load float, ptr addrspace(3) %other
  %s = fmul float %w, %v
  %yt = getelementptr float, ptr %y, i32 %t
  store float %s, ptr %yt
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  ret void
}

define ptx_kernel void @request_early(ptr %x, ptr %dx, ptr %y, ptr %dy, float %a, ptr %da, i32 %n) {
  call void (...) @__kd_autodiff(ptr @early, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_acc", float %a, ptr %da, metadata !"kd_const", i32 %n)
  ret void
}
define ptx_kernel void @request_same(ptr %x, ptr %dx, ptr %y, ptr %dy, float %a, ptr %da, i32 %n) {
  call void (...) @__kd_autodiff(ptr @same, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_acc", float %a, ptr %da, metadata !"kd_const", i32 %n)
  ret void
}
define ptx_kernel void @request_ways(ptr %x, ptr %dx, ptr %y, ptr %dy, float %a, ptr %da, i32 %n) {
  call void (...) @__kd_autodiff(ptr @ways, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_acc", float %a, ptr %da, metadata !"kd_const", i32 %n)
  ret void
}
define ptx_kernel void @request_taping(ptr %x, ptr %dx, ptr %y, ptr %dy, float %a, ptr %da, i32 %n) {
  call void (...) @__kd_autodiff(ptr @taping, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_acc", float %a, ptr %da, metadata !"kd_const", i32 %n)
  ret void
}
declare void @__kd_autodiff(...)
