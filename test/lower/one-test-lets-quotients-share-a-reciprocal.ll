; Numbers over one divisor are products with its reciprocal where that is surely
; a normal number, and divided where it is not: one test for those that nobody waits for
; in between.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s --implicit-check-not=kd.quotient

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @f(
; CHECK: %r = fdiv double 1.000000e+00, %d
; CHECK: %[[SIZE:.*]] = {{.*}}call double @llvm.fabs.f64(double %r)
; CHECK: fcmp oge double %[[SIZE]], 0x30000000000000
; CHECK: fcmp ole double %[[SIZE]], 0x7FB0000000000000
; CHECK: %[[A:.*]] = fmul contract double %a, %r
; CHECK: %[[B:.*]] = fmul double %b, %r
; CHECK: br i1 %{{.*}}, label %[[RARE:.*]], label %[[ON:[^,]*]], !prof
; CHECK: {{^}}[[RARE]]:
; CHECK: %[[A2:.*]] = fdiv double %a, %d
; CHECK: %[[B2:.*]] = fdiv double %b, %d
; CHECK: br label %[[ON]]
; CHECK: {{^}}[[ON]]:
; CHECK-DAG: %p = phi double [ %[[A]], %{{.*}} ], [ %[[A2]], %[[RARE]] ]
; CHECK-DAG: %q = phi double [ %[[B]], %{{.*}} ], [ %[[B2]], %[[RARE]] ]
; CHECK: fcmp oge double
; CHECK: fdiv double %p.q, %d
define void @f(ptr %x, double %a, double %b, double %d) {
  %r = fdiv double 1.0, %d
  %p = call contract double @kd.quotient.f64(double %a, double %d, double %r)
  %q = call double @kd.quotient.f64(double %b, double %d, double %r)
  %p.q = fadd double %p, %q
  %s = call double @kd.quotient.f64(double %p.q, double %d, double %r)
  store double %s, ptr %x
  ret void
}
declare double @kd.quotient.f64(double, double, double) memory(none)
