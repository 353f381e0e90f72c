; An addition that was a loop around a compare-and-swap, and would flush subnormal
; numbers as an instruction, is that loop again in the gradient.
; RUN: %opt -passes=kdiff -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @request(
; CHECK: swap:
; CHECK: %[[SEEN:.*]] = phi i32
; CHECK: %[[NUMBER:.*]] = bitcast i32 %[[SEEN]] to float
; CHECK: %[[SUM:.*]] = fadd float %[[NUMBER]], %
; CHECK: %[[BITS:.*]] = bitcast float %[[SUM]] to i32
; CHECK: cmpxchg ptr addrspace(1) %{{.*}}, i32 %[[SEEN]], i32 %[[BITS]]
; CHECK-NOT: kdiff.loop
; CHECK: ret void
define ptx_kernel void @f(ptr %x, ptr %y) {
entry:
  %v = load float, ptr %x
  %first = load i32, ptr %y
  br label %add
add:
  %seen = phi i32 [ %first, %entry ], [ %old, %add ]
  %number = bitcast i32 %seen to float
  %sum = fadd float %number, %v
  %bits = bitcast float %sum to i32
  %found = cmpxchg ptr %y, i32 %seen, i32 %bits monotonic monotonic
  %old = extractvalue { i32, i1 } %found, 0
  %done = icmp eq i32 %old, %seen
  br i1 %done, label %end, label %add
end:
  ret void
}
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
