; Scopes of inlined functions hold for one iteration of a loop, which their
; declarations say: without these they say too much.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s

; CHECK-LABEL: define internal void @f.kdiff(
; CHECK-NOT: alias.scope
; CHECK-NOT: noalias !
; CHECK: ret void
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y) {
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %v = load float, ptr %x, !alias.scope !0, !noalias !3
  store float %v, ptr %y, !alias.scope !3, !noalias !0
  ret void
}
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
!0 = !{!1}
!1 = distinct !{!1, !2, !"step: a"}
!2 = distinct !{!2, !"step"}
!3 = !{!4}
!4 = distinct !{!4, !2, !"step: b"}
