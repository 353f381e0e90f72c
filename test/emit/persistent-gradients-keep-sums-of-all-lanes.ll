; With a width of 2 a persistent gradient keeps a sum for each lane through the
; loop over blocks, and adds all of them behind it.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.f(
; CHECK-DAG: store float -0.0{{.*}}, ptr %sum.d.x
; CHECK-DAG: store float -0.0{{.*}}, ptr %sum.d.x{{.+}}
; CHECK-DAG: store float -0.0{{.*}}, ptr %sum.d.a
; CHECK-DAG: store float -0.0{{.*}}, ptr %sum.d.a{{.+}}
; CHECK: br i1 %{{.*}}, label %[[BODY:.*]], label %{{.*}}
; CHECK: [[BODY]]:
; CHECK-NEXT: %block.index = phi i32
; CHECK-NOT: call {{.*}}kd.accumulate
; CHECK: {{^}}rev.grid:
; CHECK: call void (i32, ...) @kd.accumulate.all.f32(i32 3, ptr addrspace(1) %{{.*}}, float %{{.*}}, ptr addrspace(1) %{{.*}}, float %{{.*}}, ptr %d.a, float %{{.*}}, ptr %d.a{{.+}}, float %{{[0-9]+}})
; CHECK-NEXT: ret void
; CHECK-NOT: call {{.*}}kd.accumulate
define ptx_kernel void @f(ptr noalias %x, ptr noalias %y, float %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %one = load float, ptr %x
  %r = fmul float %one, %a
  %q = getelementptr float, ptr %y, i32 %t
  store float %r, ptr %q
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %dx2, ptr %y, ptr %dy, ptr %dy2, float %a, ptr %da, ptr %da2) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 2, metadata !"kd_dup", ptr %x, ptr %dx, ptr %dx2, metadata !"kd_dup", ptr %y, ptr %dy, ptr %dy2, metadata !"kd_acc", float %a, ptr %da, ptr %da2)
  ret void
}
