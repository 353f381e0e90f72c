; Where a kernel does nothing but ask for a gradient, blocks may do the work of
; others: sums over words that do not depend on the block's index in x wait until
; a block has done its share.
; RUN: split-file %s %t
; RUN: cat %t/f.ll %t/whole.ll > %t/a.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/a.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,WHOLE
; RUN: cat %t/f.ll %t/local.ll > %t/b.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/b.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,WHOLE
; RUN: cat %t/f.ll %t/more.ll > %t/c.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/c.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,PART
; RUN: cat %t/f.ll %t/some.ll > %t/d.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/d.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,PART
; RUN: cat %t/f.ll %t/differs.ll > %t/e.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/e.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,PART
; RUN: sed 's/%k = call i32 @silent/%k = call i32 @reads/' %t/a.ll > %t/g.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/g.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,PART
; RUN: sed 's/ctaid.y/clusterid.x/' %t/a.ll > %t/h.ll && %opt -passes='print<kdiff-plan>' -disable-output %t/h.ll 2>&1 | FileCheck %s --check-prefixes=CHECK,PART

; WHOLE: persistent
; PART-NOT: persistent
; WHOLE: block-uniform addition behind all blocks: %one = load float
; PART: {{(block|warp)}}-uniform addition{{.*}}: %one = load float
; WHOLE: column addition behind all blocks: %lane = load float
; PART: contended addition: %lane = load float
; CHECK: {{(block|warp)}}-uniform addition at the end: %block = load float
; CHECK: contended addition: %own = load float

;--- f.ll
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %s = mul i32 %b, %n
  %i = add i32 %s, %t
  %k = call i32 @silent(i32 %i)
  %one = load float, ptr %x
  %p.lane = getelementptr float, ptr %x, i32 %t
  %lane = load float, ptr %p.lane
  %p.block = getelementptr float, ptr %x, i32 %b
  %block = load float, ptr %p.block
  %p.own = getelementptr float, ptr %x, i32 %k
  %own = load float, ptr %p.own
  %r1 = fmul float %one, %lane
  %r2 = fmul float %block, %own
  %r = fmul float %r1, %r2
  %q = getelementptr float, ptr %y, i32 %i
  store float %r, ptr %q
  ret void
}
define i32 @silent(i32 %i) noinline memory(none) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %more = icmp sgt i32 %i, %b
  br i1 %more, label %again, label %end
again:
  %less = sub i32 %i, 1
  %r = call i32 @silent(i32 %less)
  ret i32 %r
end:
  ret i32 %b
}
define i32 @reads(i32 %i) noinline memory(none) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %more = icmp sgt i32 %i, %b
  br i1 %more, label %again, label %end
again:
  %less = sub i32 %i, 1
  %r = call i32 @reads(i32 %less)
  ret i32 %r
end:
  ret i32 %b
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @__kd_autodiff(...)

;--- whole.ll
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
;--- local.ll
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %x.addr = alloca ptr
  store ptr %x, ptr %x.addr
  %v = load ptr, ptr %x.addr
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %v, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
;--- more.ll
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  store i32 0, ptr %z
  ret void
}
;--- some.ll
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i1 %c) {
  br i1 %c, label %ask, label %end
ask:
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  br label %end
end:
  ret void
}
;--- differs.ll
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %v = getelementptr float, ptr %y, i32 %b
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %v, ptr %dy)
  ret void
}
