; A loop that draws numbers from a counter, or tries a compare-and-swap again with
; what it found, makes progress of its own.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  br label %draw
draw:
  %i = atomicrmw add ptr %z, i32 1 monotonic
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %swap
body:
  %p = getelementptr float, ptr %y, i32 %i
  %v = load float, ptr %p
  %w = fmul float %v, 2.0
  store float %w, ptr %p
  br label %draw
swap:
  %seen = phi i32 [ 0, %draw ], [ %old, %swap ]
  %larger = call i32 @llvm.umax.i32(i32 %seen, i32 %n)
  %found = cmpxchg ptr %z, i32 %seen, i32 %larger monotonic monotonic
  %old = extractvalue { i32, i1 } %found, 0
  %again = icmp ne i32 %old, %seen
  br i1 %again, label %swap, label %done
done:
  ret void
}
declare i32 @llvm.umax.i32(i32, i32)
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
