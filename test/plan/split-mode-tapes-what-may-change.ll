; What is constant for one launch may change before the other: read-only and
; restricted arguments, loads by ld.global.nc, constant memory. Only tables that
; the program cannot change are read again.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@coefficients = addrspace(4) externally_initialized global [4 x float] zeroinitializer
@table = internal addrspace(1) constant [4 x float] [float 1.0, float 2.0, float 3.0, float 4.0]

; CHECK-DAG: tape: %a = load float, {{.*}}; its memory may be overwritten before the reverse launch
; CHECK-DAG: tape: %b = load float, {{.*}}; its memory may be overwritten before the reverse launch
; CHECK-DAG: tape: %c = load float, {{.*}}; its memory may be overwritten before the reverse launch
; CHECK-DAG: reload: %d = load float
define ptx_kernel void @f(ptr noalias readonly %x, ptr %y, i32 %n) {
  %at = sext i32 %n to i64
  %a = load float, ptr %x
  %pb = getelementptr float, ptr %y, i64 1
  %b = load float, ptr %pb, !invariant.load !0
  %pc = getelementptr [4 x float], ptr addrspace(4) @coefficients, i64 0, i64 %at
  %c = load float, ptr addrspace(4) %pc
  %pd = getelementptr [4 x float], ptr addrspace(1) @table, i64 0, i64 %at
  %d = load float, ptr addrspace(1) %pd
  %aa = fmul float %a, %a
  %bb = fmul float %b, %aa
  %cc = fmul float %c, %bb
  %dd = fmul float %d, %cc
  store float %dd, ptr %y
  ret void
}

declare void @__kd_augment(...)
define void @request(ptr %tape, ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_augment(ptr @f, ptr %tape, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
!0 = !{}
