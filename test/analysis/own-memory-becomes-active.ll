; A thread's array and a block's shared array have a shadow once something that
; depends on an input is put there; an array of constants has none.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: activity of kdiff.grad.f:
; CHECK-NOT: %table
; CHECK: shadowed %local = alloca [4 x float]
; CHECK-NOT: %table
; CHECK: active %u = load float, ptr %q
; CHECK: active %s = load float, ptr addrspace(3)
; CHECK-NOT: active %c
define ptx_kernel void @f(ptr %x, ptr %y, i32 %n) {
  %local = alloca [4 x float]
  %table = alloca [4 x float]
  %v = load float, ptr %x
  %p = getelementptr float, ptr %local, i32 %n
  store float %v, ptr %p
  store float %v, ptr addrspace(3) @tile
  %pt = getelementptr float, ptr %table, i32 %n
  store float 3.0, ptr %pt
  %q = getelementptr [4 x float], ptr %local, i32 0, i32 1
  %u = load float, ptr %q
  %ps = getelementptr float, ptr addrspace(3) @tile, i32 %n
  %s = load float, ptr addrspace(3) %ps
  %c = load float, ptr %table
  %us = fmul float %u, %s
  %usc = fmul float %us, %c
  store float %usc, ptr %y
  ret void
}
@tile = internal addrspace(3) global [32 x float] undef

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  ret void
}
