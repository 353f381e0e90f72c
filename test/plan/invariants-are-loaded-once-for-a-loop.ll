; What an outer iteration loads, and what follows from that, is the same in all
; iterations of the inner loop: the reverse sweep has it again when it enters that
; loop, not in each iteration. Addresses alone are left to LLVM.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s --check-prefix=EMIT

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: once for loop %inner: %root = call float @llvm.sqrt.f32(float %d)
; CHECK-NOT: once for loop
; EMIT-LABEL: define internal void @kdiff.grad.f(
; EMIT: {{^}}rev.latch:
; EMIT: %[[D:.*]] = load float, ptr addrspace(1)
; EMIT: %[[ROOT:.*]] = call float @llvm.sqrt.f32(float %[[D]])
; EMIT: br label %rev.loop.inner
; EMIT: {{^}}rev.inner:
; EMIT-NOT: @llvm.sqrt
; EMIT: fmul float %{{.*}}, %{{.*}}
; EMIT: {{^}}rev.outer:
define ptx_kernel void @f(ptr noalias %x, ptr noalias readonly %w, ptr noalias %y, i32 %n) {
entry:
  br label %outer
outer:
  %c = phi i32 [ 0, %entry ], [ %c.next, %latch ]
  %s = phi float [ 0.0, %entry ], [ %r.next, %latch ]
  %w.at = getelementptr float, ptr %w, i32 %c
  %d = load float, ptr %w.at
  %root = call float @llvm.sqrt.f32(float %d)
  br label %inner
inner:
  %k = phi i32 [ 0, %outer ], [ %k.next, %inner ]
  %r = phi float [ %s, %outer ], [ %r.next, %inner ]
  %at = add nsw i32 %c, %k
  %x.at = getelementptr float, ptr %x, i32 %at
  %v = load float, ptr %x.at
  %p = fmul float %v, %root
  %r.next = fadd float %r, %p
  %k.next = add nsw i32 %k, 1
  %more = icmp slt i32 %k.next, %n
  br i1 %more, label %inner, label %latch
latch:
  %c.next = add nsw i32 %c, 1
  %again = icmp slt i32 %c.next, %n
  br i1 %again, label %outer, label %done
done:
  store float %r.next, ptr %y
  ret void
}
declare float @llvm.sqrt.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %w, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", ptr %w, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
