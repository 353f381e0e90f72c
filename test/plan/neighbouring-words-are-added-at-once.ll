; Words beside each other, aligned as a whole, are added together where the first
; of their loads is reversed.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s --check-prefix=EMIT

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: contended addition: %a = load float
; CHECK: contended addition with %a: %b = load float
; CHECK: contended addition with %a: %c = load float
; CHECK: contended addition with %a: %d = load float
; CHECK: contended addition: %p = load float
; CHECK: contended addition with %p: %q = load float
; CHECK: contended addition: %odd = load float
; CHECK: contended addition: %once = load float

; EMIT: rev.
; EMIT: call void @kd.accumulate.f32.p1(ptr addrspace(1)
; EMIT: call void @kd.accumulate.f32.p1(ptr addrspace(1)
; EMIT: call void @kd.accumulate.v2f32.p1(ptr addrspace(1) align 8
; EMIT: call void @kd.accumulate.v4f32.p1(ptr addrspace(1) align 16
; EMIT-NOT: call void @kd.accumulate
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = mul i32 %t, %n
  %x0 = getelementptr float, ptr %x, i32 %i
  %x1 = getelementptr float, ptr %x0, i32 1
  %x2 = getelementptr float, ptr %x0, i32 2
  %x3 = getelementptr float, ptr %x0, i32 3
  %x4 = getelementptr float, ptr %x0, i32 4
  %x5 = getelementptr float, ptr %x0, i32 5
  %x6 = getelementptr float, ptr %x0, i32 6
  %x8 = getelementptr float, ptr %x0, i32 8
  %a = load float, ptr %x0, align 16
  %b = load float, ptr %x1, align 4
  %c = load float, ptr %x2, align 8
  %d = load float, ptr %x3, align 4
  %p = load float, ptr %x4, align 8
  %q = load float, ptr %x5, align 4
  %odd = load float, ptr %x6, align 4
  %once = load float, ptr %x8, align 4
  %m1 = fmul float %a, %b
  %m2 = fmul float %m1, %c
  %m3 = fmul float %m2, %d
  %m4 = fmul float %m3, %p
  %m5 = fmul float %m4, %q
  %m6 = fmul float %m5, %odd
  %m7 = fmul float %m6, %once
  %o = getelementptr float, ptr %y, i32 %t
  store float %m7, ptr %o
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  fence acquire ; A kernel of more than the request is not made persistent.
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  ret void
}
