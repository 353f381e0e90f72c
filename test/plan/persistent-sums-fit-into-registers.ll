; A gradient that is asked for by a whole kernel keeps sums over blocks as long as
; they take no more than 400 bytes of a thread's registers: a hundred words. More
; are added by each block.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=FEW
; RUN: sed 's/%j.next, 10/%j.next, 11/' %s | %opt -passes='print<kdiff-plan>' -disable-output - 2>&1 | FileCheck %s --check-prefix=MANY

; FEW: persistent
; FEW-COUNT-100: block-uniform addition behind all blocks: %w
; MANY-NOT: persistent
; MANY-COUNT-110: block-uniform addition at the end: %w

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @f(ptr noalias %x, ptr noalias %y) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %o = mul i32 %b, %n
  %i = add i32 %o, %t
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  %s = phi float [ 1.0, %entry ], [ %s.next, %latch ]
  %row = mul i32 %k, 16
  br label %inner
inner:
  %j = phi i32 [ 0, %outer ], [ %j.next, %inner ]
  %s.in = phi float [ %s, %outer ], [ %s.next, %inner ]
  %at = add i32 %row, %j
  %p = getelementptr float, ptr %x, i32 %at
  %w = load float, ptr %p
  %s.next = fadd float %s.in, %w
  %j.next = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %j.next, 10
  br i1 %more, label %inner, label %latch
latch:
  %k.next = add nuw nsw i32 %k, 1
  %again = icmp ult i32 %k.next, 10
  br i1 %again, label %outer, label %done
done:
  %q = getelementptr float, ptr %y, i32 %i
  store float %s.next, ptr %q
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()

declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
