; kd_tape, pool: the gradient opens its tape in that pool, not in the module's.
; RUN: %opt -passes='kdiff<stop-after=emit>' %s -S | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@kd_dup = external global i32
@kd_tape = external global i32
@g = external addrspace(1) global double
declare void @__kd_autodiff(ptr, ...)

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK-SAME: ptr %pool)
; CHECK: call void @kd.tape.open(ptr %{{.*}}, ptr %pool)
define void @f(ptr %x, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %v = load double, ptr %x
  %factor = load volatile double, ptr addrspace(1) @g
  %m = fmul double %v, %factor
  store double %m, ptr %x
  %i1 = add i32 %i, 1
  %more = icmp slt i32 %i1, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}
define ptx_kernel void @k(ptr %x, ptr %dx, i32 %n, ptr %given) {
  call void (ptr, ...) @__kd_autodiff(ptr @f, ptr @kd_tape, ptr %given, ptr @kd_dup, ptr %x, ptr %dx, i32 %n)
  ret void
}
