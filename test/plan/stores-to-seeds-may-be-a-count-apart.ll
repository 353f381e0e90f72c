; kd_seed: y[i], y[n + i] and y[2 * n + i] are different places, unless n is
; zero: then the last store alone is seen, which is tested at run time. The sums
; do not wrap around.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa,early-cse)' -S %s | FileCheck %s --check-prefix=EMIT

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: overwritten if zero: %n: store float %a,
; CHECK-NEXT: overwritten if zero: %n: store float %b,
; CHECK-NOT: overwritten
; EMIT-LABEL: define internal void @kdiff.grad.f(
; EMIT: {{^}}rev.f:
; EMIT: %[[LAST:.*]] = load float, ptr addrspace(1) %d.r
; EMIT: %[[GONE:.*]] = icmp eq i32 %n, 0
; EMIT: %[[SECOND:.*]] = load float, ptr addrspace(1) %d.q
; EMIT: select i1 %[[GONE]], float 0.000000e+00, float %[[SECOND]]
; EMIT: %[[FIRST:.*]] = load float, ptr addrspace(1) %d.p
; EMIT: select i1 %[[GONE]], float 0.000000e+00, float %[[FIRST]]
; EMIT-NOT: select
define ptx_kernel void @f(ptr %x, ptr %y, i32 %n, i32 %i) {
f:
  %v = load float, ptr %x
  %a = fmul float %v, 2.0
  %b = fmul float %v, 3.0
  %c = fmul float %v, 4.0
  %i.wide = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %y, i64 %i.wide
  %j = add nsw i32 %n, %i
  %j.wide = sext i32 %j to i64
  %q = getelementptr inbounds float, ptr %y, i64 %j.wide
  %twice = shl nsw i32 %n, 1
  %k = add nsw i32 %twice, %i
  %k.wide = sext i32 %k to i64
  %r = getelementptr inbounds float, ptr %y, i64 %k.wide
  store float %a, ptr %p
  store float %b, ptr %q
  store float %c, ptr %r
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n, i32 %i) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy, i32 %n, i32 %i)
  ret void
}
