; A quotient that the reverse sweep computes again is a product with the
; reciprocal of the divisor, which its derivative takes anyway: in double
; precision, or where several quotients share it.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s --implicit-check-not=reciprocal
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s --check-prefix=EMIT
; RUN: %opt -passes='print<kdiff-plan>' -pass-remarks-analysis=kdiff -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; REMARK-COUNT-3: remark: {{.*}}computed again as a product with the reciprocal that its derivative takes, where that is a normal number

; CHECK: recompute:  %q = fdiv contract double %a, %b  ; by the reciprocal
; EMIT-LABEL: define internal void @kdiff.grad.wide(
; EMIT: {{^}}rev.loop:
; EMIT: %[[R:.*]] = fdiv double 1.000000e+00, %[[B:.*]]
; EMIT: call contract double @kd.quotient.f64(double %{{.*}}, double %[[B]], double %[[R]])
; EMIT-NOT: fdiv
; EMIT: select contract i1 %{{.*}}, double 0.000000e+00, double %[[R]]
; EMIT-NOT: fdiv
; EMIT: {{^}}}
define ptx_kernel void @wide(ptr noalias %x, ptr noalias %y, ptr noalias %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %p = getelementptr double, ptr %x, i32 %i
  %a = load double, ptr %p
  %o = getelementptr double, ptr %y, i32 %i
  %b = load double, ptr %o
  %q = fdiv contract double %a, %b
  %square = fmul double %q, %q
  %s.next = fadd double %s, %square
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store double %s.next, ptr %z
  ret void
}

; Two of single precision.
; CHECK: recompute:  %q = fdiv float %a, %b  ; by the reciprocal
; CHECK: recompute:  %r = fdiv float %b, %b  ; by the reciprocal
define ptx_kernel void @shared(ptr noalias %x, ptr noalias %y, ptr noalias %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %a = load float, ptr %p
  %o = getelementptr float, ptr %y, i32 %i
  %b = load float, ptr %o
  %q = fdiv float %a, %b
  %r = fdiv float %b, %b
  %product = fmul float %q, %r
  %s.next = fadd float %s, %product
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %z
  ret void
}

; One of single precision, one that may be approximate, one of which no
; derivative is made, one that is in a register.
; CHECK-DAG: recompute:  %q = fdiv float
; CHECK-DAG: recompute:  %r = fdiv arcp double
; CHECK-DAG: recompute:  %t = fdiv double
; CHECK-DAG: in scope:  %outside = fdiv
define ptx_kernel void @dear(ptr noalias %x, ptr noalias %y, ptr noalias %z, i32 %n, double %c) {
entry:
  %first = load double, ptr %y
  %outside = fdiv double %first, %c
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %a = load float, ptr %p
  %o = getelementptr double, ptr %y, i32 %i
  %b = load double, ptr %o
  %q = fdiv float %a, 3.0
  %r = fdiv arcp double %c, %b
  %count = sitofp i32 %i to double
  %t = fdiv double %count, %c
  %q.wide = fpext float %q to double
  %u = fmul double %q.wide, %r
  %v = fmul double %u, %t
  %w = fmul double %v, %outside
  %s.next = fadd double %s, %w
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store double %s.next, ptr %z
  ret void
}

; Those that lead to a whole number, a branch or a minimum are divided.
; CHECK: recompute:  %q = fdiv double
; CHECK: recompute:  %r = fdiv double
define ptx_kernel void @decides(ptr noalias %x, ptr noalias %y, ptr noalias %z, i32 %n, double %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi double [ 0.0, %entry ], [ %s.next, %loop ]
  %p = getelementptr double, ptr %x, i32 %i
  %a = load double, ptr %p
  %o = getelementptr double, ptr %y, i32 %i
  %b = load double, ptr %o
  %q = fdiv double %a, %b
  %half = fmul double %q, 0.5
  %whole = call double @llvm.floor.f64(double %half)
  %u = fmul double %whole, %q
  %r = fdiv double %b, %a
  %least = call double @llvm.minnum.f64(double %r, double %c)
  %v = fmul double %u, %least
  %s.next = fadd double %s, %v
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store double %s.next, ptr %z
  ret void
}
declare double @llvm.floor.f64(double)
declare double @llvm.minnum.f64(double, double)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z, ptr %dz, i32 %n) {
  call void (...) @__kd_autodiff(ptr @wide, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_dup", ptr %z, ptr %dz, i32 %n)
  call void (...) @__kd_autodiff(ptr @shared, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_dup", ptr %z, ptr %dz, i32 %n)
  call void (...) @__kd_autodiff(ptr @dear, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_dup", ptr %z, ptr %dz, i32 %n, metadata !"kd_const", double 3.0)
  call void (...) @__kd_autodiff(ptr @decides, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_dup", ptr %z, ptr %dz, i32 %n, metadata !"kd_const", double 3.0)
  ret void
}
