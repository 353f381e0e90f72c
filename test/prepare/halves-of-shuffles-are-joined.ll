; The two 32-bit shuffles of a 64-bit value are one, however their halves are
; taken and put together.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; As a whole of two integers.
; CHECK-LABEL: define internal void @apart.kdiff(
; CHECK: %[[V:.*]] = bitcast double %{{.*}} to i64
; CHECK-NEXT: call i64 @kd.shfl.i64(i32 1, i32 -1, i64 %[[V]], i32 4, i32 31)
; CHECK-NOT: shfl.sync
; CHECK: ret void
define ptx_kernel void @apart(ptr %x, ptr %y) {
  %v = load double, ptr %x
  %hi = call i32 @llvm.nvvm.d2i.hi(double %v)
  %lo = call i32 @llvm.nvvm.d2i.lo(double %v)
  %sl = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %lo, i32 4, i32 31)
  %sh = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %hi, i32 4, i32 31)
  %r = call double @llvm.nvvm.lohi.i2d(i32 %sl, i32 %sh)
  store double %r, ptr %y
  ret void
}
declare i32 @llvm.nvvm.d2i.hi(double)
declare i32 @llvm.nvvm.d2i.lo(double)
declare double @llvm.nvvm.lohi.i2d(i32, i32)
declare i32 @llvm.nvvm.shfl.sync.down.i32(i32, i32, i32, i32)

; In place, one half after the other.
; CHECK-LABEL: define internal void @inplace.kdiff(
; CHECK: %[[V:.*]] = bitcast double %{{.*}} to i64
; CHECK-NEXT: call i64 @kd.shfl.i64(i32 2, i32 -1, i64 %[[V]], i32 9, i32 31)
; CHECK-NOT: shfl.sync
; CHECK: ret void
define ptx_kernel void @inplace(ptr %x, ptr %y) {
  %v = load double, ptr %x
  %b = bitcast double %v to i64
  %l = trunc i64 %b to i32
  %sl = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %l, i32 9, i32 31)
  %zl = zext i32 %sl to i64
  %rest = and i64 %b, -4294967296
  %mixed = or i64 %rest, %zl
  %up = lshr i64 %mixed, 32
  %h = trunc i64 %up to i32
  %sh = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %h, i32 9, i32 31)
  %zh = zext i32 %sh to i64
  %lifted = shl i64 %zh, 32
  %low = and i64 %mixed, 4294967295
  %both = or i64 %low, %lifted
  %r = bitcast i64 %both to double
  store double %r, ptr %y
  ret void
}
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)

; Halves that go to different lanes are no whole.
; CHECK-LABEL: define internal void @different.kdiff(
; CHECK-COUNT-2: call i32 @llvm.nvvm.shfl.sync.bfly.i32(
; CHECK-NOT: kd.shfl.i64
; CHECK: ret void
define ptx_kernel void @different(ptr %x, ptr %y) {
  %v = load i64, ptr %x
  %l = trunc i64 %v to i32
  %up = lshr i64 %v, 32
  %h = trunc i64 %up to i32
  %sl = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %l, i32 9, i32 31)
  %sh = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %h, i32 8, i32 31)
  %zl = zext i32 %sl to i64
  %zh = zext i32 %sh to i64
  %lifted = shl i64 %zh, 32
  %both = or i64 %zl, %lifted
  store i64 %both, ptr %y
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @apart, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  call void (...) @__kd_autodiff(ptr @inplace, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  call void (...) @__kd_autodiff(ptr @different, metadata !"kd_const", ptr %x, metadata !"kd_const", ptr %y)
  ret void
}
