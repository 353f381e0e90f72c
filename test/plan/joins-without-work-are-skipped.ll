; Nothing differentiated happens on either side of the first branch: the
; reverse sweep steps over it. It takes the sides of the second.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK-NOT: {{^}}rev.{{logs|silent}}:
; CHECK: {{^}}rev.works:
; CHECK-NOT: {{^}}rev.{{logs|silent}}:
; CHECK: {{^}}declare
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  %c = icmp sgt i32 %n, 3
  br i1 %c, label %logs, label %silent
logs:
  store i32 1, ptr %z
  br label %joined
silent:
  store i32 2, ptr %z
  br label %joined
joined:
  %d = icmp slt i32 %n, 9
  br i1 %d, label %works, label %done
works:
  %v = load float, ptr %x
  store float %v, ptr %y
  br label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
