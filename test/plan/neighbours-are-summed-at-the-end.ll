; Words that neighbouring lanes read as well, and those that a thread reads on
; several ways, wait for the end, where all threads have an address: that of a load
; whose address nobody was promised not to wrap around on another way. Not where
; somebody writes the words, where lanes are not one word from each other, and in
; shared memory.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes=kdiff -pass-remarks-analysis=kdiff -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; REMARK: summed over neighbouring lanes, then one atomic addition, once at the end: they likely read the same word
; REMARK: atomic addition, once at the end: other threads may read the word

; CHECK: neighbours' addition at the end: %before = load float
; CHECK: neighbours' addition at the end: %own = load float
; CHECK: neighbours' addition at the end: %behind = load float
; CHECK: contended addition at the end: %far = load float
; CHECK: contended addition at the end: %again = load float
; CHECK: contended addition: %once = load float
define ptx_kernel void @stencil(ptr noalias %x, ptr noalias %far.x, ptr noalias %y, i32 %n, i32 %m) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %start = mul nsw i32 %bx, %n
  %i = add nsw i32 %start, %tx
  %inside = icmp sgt i32 %i, 0
  br i1 %inside, label %left, label %middle
left:
  %i0 = sub nsw i32 %i, 1
  %l0 = sext i32 %i0 to i64
  %p0 = getelementptr float, ptr %x, i64 %l0
  %before = load float, ptr %p0
  %k0 = mul nsw i32 %tx, 5
  %lf0 = sext i32 %k0 to i64
  %pf0 = getelementptr float, ptr %far.x, i64 %lf0
  br label %middle
middle:
  %s0 = phi float [ 0.0, %entry ], [ %before, %left ]
  %l = sext i32 %i to i64
  %p = getelementptr float, ptr %x, i64 %l
  %own = load float, ptr %p
  %i1 = add nsw i32 %i, 1
  %l1 = sext i32 %i1 to i64
  %p1 = getelementptr float, ptr %x, i64 %l1
  %behind = load float, ptr %p1
  %k = mul nsw i32 %tx, 5
  %some = icmp slt i32 %tx, %m
  br i1 %some, label %one, label %other
one:
  %lf = sext i32 %k to i64
  %pf = getelementptr float, ptr %far.x, i64 %lf
  %far = load float, ptr %pf
  br label %end
other:
  %la = sext i32 %k to i64
  %pa = getelementptr float, ptr %far.x, i64 %la
  %again = load float, ptr %pa
  %po = getelementptr float, ptr %pa, i64 1
  %once = load float, ptr %po
  %both = fmul float %again, %once
  br label %end
end:
  %f = phi float [ %far, %one ], [ %both, %other ]
  %a = fmul float %s0, %own
  %b = fmul float %a, %behind
  %c = fmul float %b, %f
  %py = getelementptr float, ptr %y, i64 %l
  store float %c, ptr %py
  ret void
}

; CHECK: contended addition: %w0 = load float
; CHECK: contended addition: %w1 = load float
define ptx_kernel void @written(ptr %x, i32 %n) {
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %p0 = getelementptr float, ptr %x, i32 %tx
  %w0 = load float, ptr %p0
  %p1 = getelementptr float, ptr %p0, i32 1
  %w1 = load float, ptr %p1
  %ww = fmul float %w0, %w1
  %py = getelementptr float, ptr %p0, i32 %n
  store float %ww, ptr %py
  ret void
}

define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z, ptr %dz, i32 %n) {
  call void (...) @__kd_autodiff(ptr @stencil, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %z, ptr %dz, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n, i32 7)
  call void (...) @__kd_autodiff(ptr @written, metadata !"kd_dup", ptr %x, ptr %dx, i32 %n)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare void @__kd_autodiff(...)
