; What is infinite or NaN stays so through sums, products and numerators. A
; reversed block tests the factors that no other factor is computed from: where
; they are finite, none of its products needs a guard against 0 * infinity.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s --check-prefix=EMIT

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; The third sum shows that x and the other sums are finite.
; CHECK: reverse of %entry, no guards if finite: %s3{{$}}

; EMIT-LABEL: define internal void @kdiff.grad.polynomial(
; EMIT: %[[SIZE:.*]] = call float @llvm.fabs.f32(float %s3)
; EMIT: fcmp ueq float %[[SIZE]], 0x7FF0000000000000
; EMIT: %[[DOUBT:.*]] = call i1 @kd.doubt(
; EMIT: %[[ZERO:.*]] = fcmp oeq float %[[FACTOR:.*]], 0.0
; EMIT: %[[BOTH:.*]] = and i1 %[[DOUBT]], %[[ZERO]]
; EMIT: select i1 %[[BOTH]], float 0.0
define void @polynomial(ptr noalias %p, ptr noalias %y, float %a) {
entry:
  %x = load float, ptr %p
  %m1 = fmul float %x, %x
  %s1 = fadd float %m1, %a
  %m2 = fmul float %s1, %x
  %s2 = fsub float %m2, %a
  %m3 = fmul float %s2, %x
  %s3 = fadd float %m3, %a
  %m4 = fmul float %s3, %x
  store float %m4, ptr %y
  ret void
}

; A denominator does not show it: two tests.
; CHECK: reverse of %entry, no guards if finite: %s1, %m2{{$}}
define void @quotient(ptr noalias %p, ptr noalias %y, float %a) {
entry:
  %x = load float, ptr %p
  %s1 = fadd float %x, %a
  %m1 = fmul float %x, %s1
  %s2 = fdiv float %a, %m1
  %m2 = fmul float %s2, %x
  %m3 = fmul float %s2, %m2
  store float %m3, ptr %y
  ret void
}

; CHECK-NOT: no guards

; Too many tests for so few guards; promised to be finite; with others waiting.
define void @apart(ptr noalias %p, ptr noalias %y) {
entry:
  %q = getelementptr float, ptr %p, i64 1
  %r = getelementptr float, ptr %p, i64 2
  %s = getelementptr float, ptr %p, i64 3
  %a = load float, ptr %p
  %b = load float, ptr %q
  %c = load float, ptr %r
  %d = load float, ptr %s
  %m1 = fmul float %a, %b
  %m2 = fmul float %c, %d
  %sum = fadd float %m1, %m2
  store float %sum, ptr %y
  ret void
}
define void @promised(ptr noalias %p, ptr noalias %y) {
entry:
  %x = load float, ptr %p
  %m1 = fmul ninf float %x, %x
  %m2 = fmul ninf float %m1, %x
  %m3 = fmul ninf float %m2, %x
  store float %m3, ptr %y
  ret void
}
define void @met(ptr noalias %p, ptr noalias %y) {
entry:
  %x = load float, ptr %p
  %m1 = fmul float %x, %x
  %m2 = fmul float %m1, %x
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %m3 = fmul float %m2, %x
  store float %m3, ptr %y
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__kd_autodiff(...)
define void @request(ptr %p, ptr %dp, ptr %y, ptr %dy, float %a) {
  call void (...) @__kd_autodiff(ptr @polynomial, metadata !"kd_dup", ptr %p, ptr %dp, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", float %a)
  call void (...) @__kd_autodiff(ptr @quotient, metadata !"kd_dup", ptr %p, ptr %dp, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", float %a)
  call void (...) @__kd_autodiff(ptr @apart, metadata !"kd_dup", ptr %p, ptr %dp, metadata !"kd_dup", ptr %y, ptr %dy)
  call void (...) @__kd_autodiff(ptr @promised, metadata !"kd_dup", ptr %p, ptr %dp, metadata !"kd_dup", ptr %y, ptr %dy)
  call void (...) @__kd_autodiff(ptr @met, metadata !"kd_dup", ptr %p, ptr %dp, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
