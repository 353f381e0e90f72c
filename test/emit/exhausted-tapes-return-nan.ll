; Where the reverse sweep is skipped for want of tape, a returned adjoint is NaN.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@g = external addrspace(1) global float

; CHECK-LABEL: define internal float @kdiff.grad.f(
; CHECK: phi float [ 0x7FF8000000000000, %done ], [ %{{.*}}, %rev.over ]
; CHECK-NEXT: call void @kd.tape.close
; CHECK-NEXT: ret float
define float @f(float %a, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %a, %entry ], [ %s.next, %loop ]
  %factor = load volatile float, ptr addrspace(1) @g
  %s.next = fmul float %s, %factor
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret float %s.next
}

declare float @__kd_autodiff(...)
define float @request(float %a, i32 %n) {
  %r = call float (...) @__kd_autodiff(ptr @f, float %a, i32 %n)
  ret float %r
}
