; Each kind of accumulation, in each address space, is the cheapest that is right.
; RUN: %opt -passes=kdiff-lower -S < %s | FileCheck %s --implicit-check-not=kd. --implicit-check-not=kdiff
; RUN: %opt -passes=kdiff-lower -S %s | %llc -mcpu=sm_75 -o - | FileCheck %s --check-prefix=PTX

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [32 x float] undef

; A kernel's pointers lead to global memory; the scope is the device.
; CHECK-LABEL: define ptx_kernel void @kernel_argument(
; CHECK: atomicrmw fadd ptr addrspace(1) {{.*}} syncscope("device") monotonic, align 4
; PTX-LABEL: .entry kernel_argument(
; PTX: {{atom|red}}.global.add.f32
define ptx_kernel void @kernel_argument(ptr %d, i64 %i, float %v) {
  %p = getelementptr float, ptr %d, i64 %i
  call void @kd.accumulate.f32.p0(ptr %p, float %v, i32 5)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @exclusive(
; CHECK: %[[OLD:.*]] = load double, ptr addrspace(1)
; CHECK: %[[NEW:.*]] = fadd double %[[OLD]], %v
; CHECK: store double %[[NEW]], ptr addrspace(1)
define ptx_kernel void @exclusive(ptr %d, double %v) {
  call void @kd.accumulate.f64.p0(ptr %d, double %v, i32 1)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @shared_memory(
; CHECK: atomicrmw fadd ptr addrspace(3) {{.*}} syncscope("block") monotonic
; PTX-LABEL: .entry shared_memory(
; PTX: atom.shared.add.f32
define ptx_kernel void @shared_memory(i64 %i, float %v) {
  %p = getelementptr float, ptr addrspacecast (ptr addrspace(3) @shared to ptr), i64 %i
  call void @kd.accumulate.f32.p0(ptr %p, float %v, i32 5)
  ret void
}

; Vectors are added by element.
; CHECK-LABEL: define ptx_kernel void @vector(
; CHECK-COUNT-2: atomicrmw fadd ptr addrspace(1) {{.*}}, float {{.*}} syncscope("device") monotonic, align
; PTX-LABEL: .entry vector(
; PTX-NOT: .cas
; PTX: ret
define ptx_kernel void @vector(ptr addrspace(1) %d, <2 x float> %v) {
  call void @kd.accumulate.v2f32.p1(ptr addrspace(1) align 8 %d, <2 x float> %v, i32 5)
  ret void
}

; CHECK-LABEL: define ptx_kernel void @half_precision(
; CHECK: atomicrmw fadd ptr addrspace(1) {{.*}}, half
; PTX-LABEL: .entry half_precision(
; PTX: .add.noftz.f16
define ptx_kernel void @half_precision(ptr %d, half %v) {
  call void @kd.accumulate.f16.p0(ptr %d, half %v, i32 5)
  ret void
}

; The thread's own memory knows no atomics.
; CHECK-LABEL: define ptx_kernel void @own_array(
; CHECK-NOT: atomicrmw
; CHECK: ret void
define ptx_kernel void @own_array(ptr %out, i64 %i, float %v) {
  %a = alloca [8 x float]
  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 32, i1 false)
  %p = getelementptr float, ptr %a, i64 %i
  call void @kd.accumulate.f32.p0(ptr %p, float %v, i32 5)
  %q = getelementptr float, ptr %a, i64 3
  %r = load float, ptr %q
  store float %r, ptr %out
  ret void
}

; Where the memory may be the thread's own, a test at run time decides.
; CHECK-LABEL: define void @unknown_pointer(
; CHECK: %[[OWN:.*]] = call i1 @llvm.nvvm.isspacep.local(ptr %d)
; CHECK: br i1 %[[OWN]], label %[[PLAIN:.*]], label %[[ATOMIC:.*]]
; CHECK: [[PLAIN]]:
; CHECK: load float, ptr %d
; CHECK: store float
; CHECK: [[ATOMIC]]:
; CHECK: atomicrmw fadd ptr %d, float %v syncscope("device") monotonic
define void @unknown_pointer(ptr %d, float %v) {
  call void @kd.accumulate.f32.p0(ptr %d, float %v, i32 5)
  ret void
}

; A pointer in a kernel's by-value argument comes from the host.
; CHECK-LABEL: define ptx_kernel void @pointer_in_struct(
; CHECK-NOT: isspacep
; CHECK: atomicrmw fadd
; CHECK: ret void
define ptx_kernel void @pointer_in_struct(ptr byval({ ptr, i64 }) %s, float %v) {
  %d = load ptr, ptr %s
  call void @kd.accumulate.f32.p0(ptr %d, float %v, i32 5)
  ret void
}

declare void @kd.accumulate.f16.p0(ptr, half, i32)
declare void @kd.accumulate.f32.p0(ptr, float, i32)
declare void @kd.accumulate.f64.p0(ptr, double, i32)
declare void @kd.accumulate.v2f32.p1(ptr addrspace(1), <2 x float>, i32)
declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

; Plain where the block extends in x alone.
; CHECK-LABEL: define ptx_kernel void @own_in_rows(
; CHECK: %[[YZ:.*]] = mul {{.*}}i32
; CHECK: %[[ROW:.*]] = icmp eq i32 %[[YZ]], 1
; CHECK: br i1 %[[ROW]], label %[[PLAIN:.*]], label %[[ATOMIC:.*]]
; CHECK: [[PLAIN]]:
; CHECK: load float, ptr addrspace(3)
; CHECK: [[ATOMIC]]:
; CHECK: atomicrmw fadd ptr addrspace(3)
define ptx_kernel void @own_in_rows(i32 %i, float %v) {
  %p = getelementptr float, ptr addrspace(3) @shared, i32 %i
  call void @kd.accumulate.f32.p3(ptr addrspace(3) %p, float %v, i32 2)
  ret void
}
declare void @kd.accumulate.f32.p3(ptr addrspace(3), float, i32)
