; __kd_tape_bytes runs the control flow alone and counts what the augmented
; primal would push; LLVM's pipeline makes a formula of it: 8 bytes for each of
; n trips. Control flow that depends on what the function writes is refused.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s
; RUN: %opt -passes='kdiff,default<O2>' -S %s | FileCheck %s --check-prefix=FORMULA
; RUN: sed 's/ptr %k/ptr %y/' %s | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %s --check-prefix=REFUSED

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal i64 @kdiff.augmented.f(
; CHECK-NOT: kd.tape
; CHECK-NOT: store float %r
; CHECK: ret i64
; FORMULA-LABEL: i64 @bytes(
; FORMULA-NOT: br
; FORMULA-NOT: call
; FORMULA: load i32
; FORMULA: ret i64
; REFUSED: error: {{.*}}cannot differentiate the size of the tape, since control flow depends on memory that it writes
define void @f(ptr %x, ptr %y, ptr noalias readonly %k) {
entry:
  %n = load i32, ptr %k
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %r = fmul float %v, %v
  %o = getelementptr float, ptr %y, i32 %i
  store float %r, ptr %o
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

declare i64 @__kd_tape_bytes(...)
define i64 @bytes(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %n) {
  %r = call i64 (...) @__kd_tape_bytes(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %n)
  ret i64 %r
}
