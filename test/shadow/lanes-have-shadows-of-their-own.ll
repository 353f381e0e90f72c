; With a width of 2: every pointer has two twins; the shadow of a variable is an
; array of two; dynamic shared memory is launched at three times its size.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@w = addrspace(1) global [4 x float] zeroinitializer, align 4
@dw = addrspace(1) global [2 x [4 x float]] zeroinitializer, align 4
@__kd_shadow_0 = constant [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @w to ptr), ptr addrspacecast (ptr addrspace(1) @dw to ptr)]
@tile = internal addrspace(3) global [32 x float] poison, align 4
@dynamic = external addrspace(3) global [0 x float], align 16

; CHECK: @kdiff.shadow.tile = internal addrspace(3) global [32 x float] poison
; CHECK: @kdiff.shadow.tile.1 = internal addrspace(3) global [32 x float] poison
; CHECK-LABEL: define internal void @kdiff.grad.f(ptr %x, ptr %d.x, ptr %d.x1, ptr %y, ptr %d.y, ptr %d.y2, i32 %n)
; CHECK-DAG: udiv i32 %{{.*}}, 3
; CHECK-DAG: mul i64 %{{.*}}, 2
; CHECK-DAG: %[[X0:.*]] = addrspacecast ptr %d.x to ptr addrspace(1)
; CHECK-DAG: %[[X1:.*]] = addrspacecast ptr %d.x1 to ptr addrspace(1)
; CHECK-DAG: getelementptr float, ptr addrspace(1) %[[X0]], i32 %n
; CHECK-DAG: getelementptr float, ptr addrspace(1) %[[X1]], i32 %n
; CHECK-DAG: call void (i32, ...) @kd.accumulate.all.f32(i32 {{[0-9]+}}, {{.*}}ptr addrspace(1) @dw, float %{{.*}}, ptr addrspace(1) getelementptr inbounds (i8, ptr addrspace(1) @dw, i64 16), float
define ptx_kernel void @f(ptr %x, ptr %y, i32 %n) {
  %q = getelementptr float, ptr %x, i32 %n
  %v = load float, ptr %q
  %s = getelementptr float, ptr addrspace(3) @tile, i32 %n
  store float %v, ptr addrspace(3) %s
  %p = getelementptr float, ptr addrspace(3) @dynamic, i32 %n
  store float %v, ptr addrspace(3) %p
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %a = load float, ptr addrspace(3) @dynamic
  %b = load float, ptr addrspace(3) @tile
  %c = load float, ptr addrspace(1) @w
  %ab = fadd float %a, %b
  %abc = fadd float %ab, %c
  store float %abc, ptr %y
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %dx2, ptr %y, ptr %dy, ptr %dy2) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_width", i32 2, metadata !"kd_dup", ptr %x, ptr %dx, ptr %dx2, metadata !"kd_dup", ptr %y, ptr %dy, ptr %dy2, i32 7)
  ret void
}
