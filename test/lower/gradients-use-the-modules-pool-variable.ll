; A module that includes kdiff/tape.h has the pool's variable: one for all units
; that are linked for the device (-fgpu-rdc), so that it is weak there.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s --implicit-check-not='@__kd_tape_pool{{.*}} = '

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @__kd_tape_pool = weak addrspace(1) externally_initialized global ptr null
; CHECK: define internal {{.*}}@__kd_tape_grow
; CHECK: load ptr addrspace(1), ptr addrspace(1) @__kd_tape_pool
@__kd_tape_pool = weak addrspace(1) externally_initialized global ptr null

define ptx_kernel void @k() {
  %s = alloca { ptr addrspace(1), i32, i32, ptr addrspace(1) }
  call void @kd.tape.open(ptr %s, ptr null)
  %r = call ptr addrspace(1) @kd.tape.push(ptr %s, i32 4)
  call void @kd.tape.close(ptr %s)
  ret void
}

declare void @kd.tape.open(ptr, ptr)
declare void @kd.tape.close(ptr)
declare ptr addrspace(1) @kd.tape.push(ptr, i32)
