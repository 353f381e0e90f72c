; What is computed outside all loops is still there when the reverse sweep
; runs: nothing is computed again, loaded again or taped, not even where the
; memory has been overwritten.
; Addresses are computed again from the pointers and indices that they share: a
; register for each would be held through both sweeps.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: {{tape|recompute|reload|record}}
; CHECK: recompute: %d.p = getelementptr
; CHECK-NOT: {{tape|recompute|reload|record}}
; CHECK: in scope: %v = load float
; CHECK-NOT: {{tape|recompute|reload|record}}
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  %c = icmp sgt i32 %n, 3
  br i1 %c, label %then, label %done
then:
  %p = getelementptr float, ptr %x, i32 %n
  %v = load float, ptr %p
  %s = call float @llvm.sin.f32(float %v)
  store float %s, ptr %p
  br label %done
done:
  ret void
}
declare float @llvm.sin.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
