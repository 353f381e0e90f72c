; Split mode: the augmented launch notes who put the last number into a word of an
; atomic maximum; the reverse launch, which knows that it was the last one, hands
; its thread the whole derivative of the word and clears it.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PREPARED
; RUN: %opt -passes='kdiff' -S %s | FileCheck %s --check-prefix=LOWERED

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Bits of numbers as signed integers; a minimum of numbers of either sign.
; PREPARED: %[[OLD:.*]] = atomicrmw max ptr addrspace(1) {{.*}}, i32 %bits
; PREPARED-NEXT: call i64 @kd.claim.f32.i32.p1(i32 7, ptr addrspace(1) {{.*}}, float %v, i32 %[[OLD]])
; PREPARED: %[[LEAST:.*]] = atomicrmw fmin ptr addrspace(1) {{.*}}, float %v
; PREPARED-NEXT: call i64 @kd.claim.f32.f32.p1(i32 14, ptr addrspace(1) {{.*}}, float %v, float %[[LEAST]])

; CHECK-LABEL: define internal void @kdiff.augmented.f(
; CHECK: %[[OLD:.*]] = atomicrmw max
; CHECK: %[[RAISES:.*]] = icmp sgt i32 %bits, %[[OLD]]
; CHECK: call i64 @kd.tape.claim(ptr %{{.*}}, i64 %{{.*}}, i32 7, i64 %{{.*}}, i1 %[[RAISES]])
; CHECK-NOT: ptr %d.
; CHECK-LABEL: define internal void @kdiff.reverse.f(
; CHECK-NOT: atomicrmw
; CHECK: %[[LAST:.*]] = call i1 @kd.tape.settle(
; CHECK: br i1 %[[LAST]], label %[[WINS:.*]], label %[[SETTLED:[^ ]*]]
; CHECK: [[WINS]]:
; CHECK: load float, ptr addrspace(1) %d.l
; CHECK: store float 0.000000e+00, ptr addrspace(1) %d.l
; CHECK: [[SETTLED]]:
; CHECK: call i1 @kd.tape.settle(
; CHECK: store float 0.000000e+00, ptr addrspace(1) %d.m
; LOWERED-NOT: kd.claim
; LOWERED-NOT: kd.tape
define ptx_kernel void @f(ptr %x, ptr %m, ptr %l) {
  %v = load float, ptr %x
  %bits = bitcast float %v to i32
  %old = atomicrmw max ptr %m, i32 %bits seq_cst
  %least = atomicrmw fmin ptr %l, float %v seq_cst
  ret void
}

declare void @__kd_augment(...)
declare void @__kd_reverse(...)
define void @augment(ptr %tape, ptr %x, ptr %dx, ptr %m, ptr %dm, ptr %l, ptr %dl) {
  call void (...) @__kd_augment(ptr @f, ptr %tape, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %m, ptr %dm, metadata !"kd_dup", ptr %l, ptr %dl)
  ret void
}
define void @reverse(ptr %tape, ptr %x, ptr %dx, ptr %m, ptr %dm, ptr %l, ptr %dl) {
  call void (...) @__kd_reverse(ptr @f, ptr %tape, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %m, ptr %dm, metadata !"kd_dup", ptr %l, ptr %dl)
  ret void
}
