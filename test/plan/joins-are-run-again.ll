; A value that a small branch leads to is computed again by the side that ran,
; rather than taped. The branch itself is a bit, and 64 iterations share a word.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; PLAN-DAG: recompute: %m = phi float
; PLAN-DAG: tape: %c = fcmp
; PLAN: record of %loop: 8 bytes for 64 iterations
; PLAN-NEXT: +0 1 %c bit 0
; PLAN-NOT: +

; The forward sweep adds a bit and pushes full words, and what is left behind.
; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK: and i32 %{{.*}}, 63
; CHECK: icmp eq i32 %{{.*}}, 63
; CHECK: call ptr addrspace(1) @kd.tape.push(ptr %tape, i32 8)
; CHECK: call ptr addrspace(1) @kd.tape.push(ptr %tape, i32 8)
; CHECK-NOT: @kd.tape.push
; CHECK: {{^}}again.join:
; CHECK: phi float
define ptx_kernel void @f(ptr noalias readonly %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %join ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %b = load volatile float, ptr %z
  %c = fcmp ogt float %b, 0.0
  br i1 %c, label %one, label %two
one:
  %one.1 = call float @llvm.sin.f32(float %v)
  %one.2 = call float @llvm.sin.f32(float %one.1)
  %square = call float @llvm.sin.f32(float %one.2)
  br label %join
two:
  %two.1 = call float @llvm.cos.f32(float %v)
  %two.2 = call float @llvm.cos.f32(float %two.1)
  %double = call float @llvm.cos.f32(float %two.2)
  br label %join
join:
  %m = phi float [ %square, %one ], [ %double, %two ]
  %sine = call float @llvm.sin.f32(float %m)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}
declare float @llvm.sin.f32(float)
declare float @llvm.cos.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
