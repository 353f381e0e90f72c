; Four or eight doubles side by side, however aligned, are added together, by as
; many lanes; two are not.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: contended addition: %a = load double
; CHECK: contended addition with %a: %b = load double
; CHECK: contended addition with %a: %c = load double
; CHECK: contended addition with %a: %d = load double
; CHECK: contended addition: %p = load double
; CHECK: contended addition: %q = load double
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, ptr noalias %at) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %g = add i32 %block, %t
  %w = getelementptr i32, ptr %at, i32 %g
  %i = load i32, ptr %w
  %x0 = getelementptr double, ptr %x, i32 %i
  %x1 = getelementptr double, ptr %x0, i32 1
  %x2 = getelementptr double, ptr %x0, i32 2
  %x3 = getelementptr double, ptr %x0, i32 3
  %x5 = getelementptr double, ptr %x0, i32 5
  %x6 = getelementptr double, ptr %x0, i32 6
  %a = load double, ptr %x0, align 8
  %b = load double, ptr %x1, align 8
  %c = load double, ptr %x2, align 8
  %d = load double, ptr %x3, align 8
  %p = load double, ptr %x5, align 8
  %q = load double, ptr %x6, align 8
  %m1 = fmul double %a, %b
  %m2 = fmul double %m1, %c
  %m3 = fmul double %m2, %d
  %m4 = fmul double %m3, %p
  %m5 = fmul double %m4, %q
  %o = getelementptr double, ptr %y, i32 %t
  store double %m5, ptr %o
  ret void
}

define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %at) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %at)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @__kd_autodiff(...)
