; What depends on an input but reaches no memory with a shadow has no adjoint:
; a value that is compared, or stored where no shadow is and nobody reads.
; RUN: %opt -passes='print<kdiff-activity>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: activity of kdiff.grad.f:
; CHECK-NEXT: active argument ptr %x
; CHECK-NEXT: active argument ptr %y
; CHECK-NOT: active %v
; CHECK: active %w = load float
; CHECK-NOT: active
define ptx_kernel void @f(ptr %x, ptr %y, ptr %log) {
entry:
  %v = load float, ptr %x
  %q = getelementptr float, ptr %x, i32 1
  %w = load float, ptr %q
  %sq = fmul float %v, %v
  store float %sq, ptr %log
  %big = fcmp ogt float %sq, 1.0
  br i1 %big, label %write, label %done
write:
  store float %w, ptr %y
  br label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %log) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %log)
  ret void
}
