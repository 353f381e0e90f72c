; Sums over the warp in one block of code are made together, with the first load
; (which is reversed last), unless adjoints in memory are read in between: the
; store's reverse reads the shadow of y.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: warp-uniform addition: %a = load float
; CHECK: warp-uniform addition with %a: %b = load float
; CHECK: warp-uniform addition: %c = load float
define ptx_kernel void @f(ptr %x, ptr %y, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %a = load float, ptr %p
  %q = getelementptr float, ptr %p, i32 1
  %b = load float, ptr %q
  %ab = fmul float %a, %b
  %o = getelementptr float, ptr %y, i32 %i
  store float %ab, ptr %o
  %r = getelementptr float, ptr %p, i32 2
  %c = load float, ptr %r
  %cc = fmul float %c, %c
  store float %cc, ptr %o
  %i1 = add i32 %i, 1
  %ic = icmp slt i32 %i1, %n
  br i1 %ic, label %loop, label %exit
exit:
  ret void
}

declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  ret void
}
