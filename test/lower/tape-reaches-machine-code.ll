; The runtime's bitcode suits every target.
; RUN: %opt -passes=kdiff-lower -S %s -o %t.ll
; RUN: %llc -mcpu=sm_75 %t.ll -o %t.75.ptx && %ptxas -arch=sm_75 %t.75.ptx -o %t.75.cubin
; RUN: %llc -mcpu=sm_90 %t.ll -o %t.90.ptx && %ptxas -arch=sm_90 %t.90.ptx -o %t.90.cubin
; RUN: %llc -mcpu=sm_100 %t.ll -o %t.100.ptx && %ptxas -arch=sm_100 %t.100.ptx -o %t.100.cubin
; RUN: FileCheck %s < %t.75.ptx

; Nothing of it has the system's scope.
; CHECK-NOT: .sys
; CHECK: .weak .global .align 8 .u64 __kd_tape_pool
; CHECK-NOT: .sys

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr %x, i32 %n) {
entry:
  %s = alloca { ptr addrspace(1), i32, i32, ptr addrspace(1) }
  call void @kd.tape.open(ptr %s, ptr null)
  br label %forward

forward:
  %i = phi i32 [ 0, %entry ], [ %i.next, %forward ]
  %a = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %a
  %r = call ptr addrspace(1) @kd.tape.push(ptr %s, i32 4)
  %f = call ptr addrspace(1) @kd.tape.field(ptr %s, ptr addrspace(1) %r, i32 0, i32 4)
  store float %v, ptr addrspace(1) %f
  %i.next = add i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %forward, label %turn

turn:
  %e = call i1 @kd.tape.exhausted(ptr %s)
  br i1 %e, label %end, label %reverse

reverse:
  %j = phi i32 [ %i, %turn ], [ %j.next, %reverse ]
  %q = call ptr addrspace(1) @kd.tape.pop(ptr %s, i32 4)
  %g = call ptr addrspace(1) @kd.tape.field(ptr %s, ptr addrspace(1) %q, i32 0, i32 4)
  %w = load float, ptr addrspace(1) %g
  %b = getelementptr float, ptr %x, i32 %j
  call void @kd.accumulate.f32.p0(ptr %b, float %w, i32 2)
  %j.next = sub i32 %j, 1
  %again = icmp sge i32 %j.next, 0
  br i1 %again, label %reverse, label %end

end:
  call void @kd.tape.close(ptr %s)
  ret void
}

declare void @kd.tape.open(ptr, ptr)
declare void @kd.tape.close(ptr)
declare i1 @kd.tape.exhausted(ptr)
declare ptr addrspace(1) @kd.tape.push(ptr, i32)
declare ptr addrspace(1) @kd.tape.pop(ptr, i32)
declare ptr addrspace(1) @kd.tape.field(ptr, ptr addrspace(1), i32, i32)
declare void @kd.accumulate.f32.p0(ptr, float, i32)
