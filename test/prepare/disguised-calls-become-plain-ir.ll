; Bit casts of libdevice, read-only loads and hints are plain IR; lifetimes and
; assumptions are gone, since the reverse sweep comes after them.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IR

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; IR-LABEL: define internal void @plain.kdiff(
; IR-NOT: call
; IR: load float, {{.*}}, !invariant.load
; IR-NOT: call
; IR: ret void
define ptx_kernel void @plain(ptr %x, double %d, i32 %k) {
  %local = alloca [4 x float]
  call void @llvm.lifetime.start.p0(ptr %local)
  %at = getelementptr float, ptr %local, i32 %k
  store float 1.0, ptr %at
  %likely = call i32 @llvm.expect.i32(i32 %k, i32 1)
  %c = icmp sgt i32 %likely, 0
  call void @llvm.assume(i1 %c)
  %xg = addrspacecast ptr %x to ptr addrspace(1)
  %v = call float @llvm.nvvm.ldu.global.f.f32.p1(ptr addrspace(1) %xg, i32 4)
  %bits = call i32 @__nv_float_as_int(float %v)
  %back = call float @__nv_int_as_float(i32 %bits)
  %hi = call i32 @__nv_double2hiint(double %d)
  %lo = call i32 @__nv_double2loint(double %d)
  %dd = call double @__nv_hiloint2double(i32 %hi, i32 %lo)
  %df = fptrunc double %dd to float
  %y = fmul float %back, %df
  store float %y, ptr %x
  call void @llvm.lifetime.end.p0(ptr %local)
  ret void
}
declare void @llvm.lifetime.start.p0(ptr)
declare void @llvm.lifetime.end.p0(ptr)
declare void @llvm.assume(i1)
declare i32 @llvm.expect.i32(i32, i32)
declare float @llvm.nvvm.ldu.global.f.f32.p1(ptr addrspace(1), i32)
declare i32 @__nv_float_as_int(float)
declare float @__nv_int_as_float(i32)
declare i32 @__nv_double2hiint(double)
declare i32 @__nv_double2loint(double)
declare double @__nv_hiloint2double(i32, i32)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @plain, ptr %x, ptr %dx, metadata !"kd_const", double 1.0, i32 1)
  ret void
}
