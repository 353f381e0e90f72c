; Of a word that stays the same in a loop, and that nobody writes, the adjoint
; is added once, when the reverse sweep leaves the loop: the outermost one.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: contended addition behind loop %outer: %fixed = load float
; CHECK: contended addition behind loop %inner: %row = load float
; CHECK: contended addition: %written = load float
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, ptr noalias %z, i32 %n) {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %tid
  %pz = getelementptr float, ptr %z, i32 %tid
  br label %outer
outer:
  %i = phi i32 [ 0, %entry ], [ %i1, %outer.latch ]
  %s = phi float [ 0.0, %entry ], [ %s3, %outer.latch ]
  %at = add i32 %i, %tid
  %prow = getelementptr float, ptr %x, i32 %at
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j1, %inner.latch ]
  %t = phi float [ %s, %outer ], [ %t3, %inner.latch ]
  %bit = and i32 %j, 1
  %c = icmp eq i32 %bit, 0
  br i1 %c, label %some, label %inner.latch
some:
  %fixed = load float, ptr %px
  %row = load float, ptr %prow
  %written = load float, ptr %pz
  store float %t, ptr %pz
  %fr = fmul float %fixed, %row
  %t1 = fmul float %t, %written
  %t2 = fadd float %t1, %fr
  br label %inner.latch
inner.latch:
  %t3 = phi float [ %t, %inner ], [ %t2, %some ]
  %j1 = add i32 %j, 1
  %jc = icmp slt i32 %j1, %n
  br i1 %jc, label %inner, label %outer.latch
outer.latch:
  %s3 = phi float [ %t3, %inner.latch ]
  %i1 = add i32 %i, 1
  %ic = icmp slt i32 %i1, %n
  br i1 %ic, label %outer, label %exit
exit:
  %py = getelementptr float, ptr %y, i32 %tid
  store float %s3, ptr %py
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z, ptr %dz) {
  fence acquire ; A kernel of more than the request is not made persistent.
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_dup", ptr %z, ptr %dz, i32 7)
  ret void
}
