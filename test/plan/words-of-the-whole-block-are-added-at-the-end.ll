; Where all threads of a block come to the end together, they add to a word that
; is the same for all of them there, once. Else each warp does.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=kdiff -pass-remarks-analysis=kdiff -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Of all_meet: a parameter, an index that the block has, and one by thread.
; CHECK: block-uniform addition at the end: %a = load float
; CHECK: block-uniform addition at the end: %b = load float
; CHECK: contended addition: %c = load float
; Of some_ask: not all threads come.
; CHECK: warp-uniform addition at the end: %a = load float
; CHECK: warp-uniform addition at the end: %b = load float
; Of own_words: which word may differ between threads.
; CHECK: warp-uniform addition at the end: %a = load float
; CHECK: warp-uniform addition at the end: %b = load float

; REMARK: summed over the block at the end, then one atomic addition: all its threads read the same word
; REMARK: summed over the warp, then one atomic addition, once at the end: its lanes read the same word; not all threads of the block may come to the end together
; REMARK: summed over the warp, then one atomic addition, once at the end: its lanes read the same word; the whole block may not
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, i32 %n) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %out = icmp sge i32 %tid, %n
  br i1 %out, label %done, label %work
work:
  %a = load float, ptr %x
  %q = getelementptr float, ptr %x, i32 %block
  %b = load float, ptr %q
  %r = getelementptr float, ptr %x, i32 %tid
  %c = load float, ptr %r
  %ab = fmul float %a, %b
  %abc = fmul float %ab, %c
  %o = getelementptr float, ptr %y, i32 %tid
  store float %abc, ptr %o
  br label %done
done:
  ret void
}

define ptx_kernel void @all_meet(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  fence acquire ; A kernel of more than the request is not made persistent.
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  ret void
}

define ptx_kernel void @some_ask(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %c = icmp eq i32 %tid, 3
  br i1 %c, label %ask, label %end
ask:
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  br label %end
end:
  ret void
}

define ptx_kernel void @own_words(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %mine = getelementptr float, ptr %x, i32 %tid
  %dmine = getelementptr float, ptr %dx, i32 %tid
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %mine, ptr %dmine, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @__kd_autodiff(...)
