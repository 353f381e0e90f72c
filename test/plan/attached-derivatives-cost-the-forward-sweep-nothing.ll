; A derivative that is attached to a value needs its operands in the reverse sweep
; alone: the forward sweep runs no copy of a loop for it, with exchanges that
; nobody reads.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff,default<O2>' -S %s | FileCheck %s --check-prefix=CODE

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: left out: %other = call
; CHECK: left out: %other.again = call float @llvm.nvvm.shfl.sync.bfly.f32(
; CHECK-NOT: left out: %other = call

; The loop, and its reverse, which has the adjoint's exchange too.
; CODE-LABEL: define {{.*}}void @request(
; CODE-COUNT-3: @llvm.nvvm.shfl.sync.{{bfly|idx}}.f32(
; CODE-NOT: @llvm.nvvm.shfl.sync.
; CODE: {{^}}}
define ptx_kernel void @softmax(ptr noalias readonly %scores, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %m = phi float [ 0xFFF0000000000000, %entry ], [ %m.next, %loop ]
  %total = phi float [ 0.0, %entry ], [ %total.next, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr %scores, i32 %at
  %mine = load float, ptr %p
  %other = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %mine, i32 1, i32 31)
  %s = fadd float %mine, %other
  %m.next = call float @llvm.maxnum.f32(float %m, float %s)
  %dm = fsub float %m, %m.next
  %shrink = call float @llvm.exp2.f32(float %dm)
  %ds = fsub float %s, %m.next
  %weight = call float @llvm.exp2.f32(float %ds)
  %old = fmul float %total, %shrink
  %total.next = fadd float %old, %weight
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %q = getelementptr float, ptr %y, i32 %t
  store float %total.next, ptr %q
  ret void
}

declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr noalias readonly %x, ptr %dx, ptr noalias %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @softmax, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seednoneed", ptr %y, ptr %dy, i32 %n)
  ret void
}
