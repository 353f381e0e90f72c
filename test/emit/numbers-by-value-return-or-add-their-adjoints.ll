; kd_out: the adjoint is returned, +0.0 where nothing depends on the number.
; kd_acc: it is added, at the end, where all threads of the grid add theirs.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa)' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal { float, float } @kdiff.grad.f(float %a, float %unused, float %b, ptr %d.b, ptr %y, ptr %d.y)
; CHECK: {{^}}rev.over:
; CHECK: %[[ONE:.*]] = insertvalue { float, float } poison, float %{{.*}}, 0
; CHECK: insertvalue { float, float } %[[ONE]], float 0.000000e+00, 1
; CHECK: {{^}}rev.done:
; CHECK: call void (i32, ...) @kd.accumulate.all.f32(i32 4, ptr %d.b, float %{{.*}})
define ptx_kernel void @f(float %a, float %unused, float %b, ptr %y) {
  %ab = fmul float %a, %b
  store float %ab, ptr %y
  ret void
}

declare { float, float } @__kd_autodiff(...)
define { float, float } @request(float %a, float %b, ptr %db, ptr %y, ptr %dy) {
  %r = call { float, float } (...) @__kd_autodiff(ptr @f, metadata !"kd_out", float %a, metadata !"kd_out", float %a, metadata !"kd_acc", float %b, ptr %db, metadata !"kd_dup", ptr %y, ptr %dy)
  ret { float, float } %r
}
