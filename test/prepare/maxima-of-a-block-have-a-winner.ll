; Behind the barrier the winner of an atomic maximum in shared memory stores what is
; there already, for the sake of its derivative; the lower stage takes the store
; out again. A second barrier keeps readers behind it.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff' -S %s | FileCheck %s --check-prefix=LOWERED

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @f.kdiff(
; CHECK: %[[RAISED:.*]] = call i1 @kd.raise.i32(i32 7, ptr addrspace(3) @peak, i32 %bits)
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK: %[[CONTENT:.*]] = load i32, ptr addrspace(3) @peak
; CHECK: icmp eq i32 {{.*}}%[[CONTENT]]
; CHECK: store float %{{.*}}, ptr addrspace(3) @peak{{.*}}!kdiff.content
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-NEXT: %w = load float, ptr addrspace(3) @peak

; LOWERED-NOT: kd.raise
; LOWERED-NOT: kdiff.content
; LOWERED: %[[OLD:.*]] = atomicrmw max ptr addrspace(3) @peak, i32 %{{.*}} syncscope("block") monotonic
; LOWERED: icmp slt i32 %[[OLD]], %
; LOWERED-NOT: kd.raise
; LOWERED-NOT: kdiff.content
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %v = load float, ptr %x
  %c = icmp slt i32 %n, 100
  br i1 %c, label %put, label %wait
put:
  %bits = bitcast float %v to i32
  %old = atomicrmw max ptr addrspace(3) @peak, i32 %bits seq_cst
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load float, ptr addrspace(3) @peak
  store float %w, ptr %y
  ret void
}
@peak = internal addrspace(3) global float undef
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
