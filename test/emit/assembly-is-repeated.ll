; The reverse sweep repeats assembly whose meaning is known, where that saves tape.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.reverse.f(
; CHECK: call half asm "fma.rn.f16 $0, $1, $2, $3;"
define void @f(ptr %x, ptr %y) {
  %a = load half, ptr %x
  %h = call half asm "fma.rn.f16 $0, $1, $2, $3;", "=h,h,h,h"(half %a, half %a, half %a)
  %s = fmul half %h, %a
  store half %s, ptr %y
  ret void
}

declare void @__kd_reverse(...)
define void @request(ptr %tape, ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_reverse(ptr @f, ptr %tape, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
