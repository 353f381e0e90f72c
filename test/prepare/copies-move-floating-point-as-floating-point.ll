; The fields of a copied object come from its declaration, from !tbaa.struct, and
; from address arithmetic; padding is copied too, since a union may use it.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IR

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

%Mixed = type { float, i32, double, [2 x float] }
%Padded = type { i8, float }

; IR-LABEL: define internal void @declared.kdiff(
; IR-NOT: memcpy
; IR: load float
; IR: load i32
; IR: load double
; IR: load float
; IR: load float
; IR: store float
; IR: store i32
; IR: store double
; IR: store float
; IR: store float
; IR-NOT: memcpy
; IR: ret void
define ptx_kernel void @declared(ptr %x, ptr %y) {
  %m = alloca %Mixed
  call void @llvm.memcpy.p0.p0.i64(ptr %m, ptr %x, i64 24, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %m, i64 24, i1 false)
  ret void
}

; IR-LABEL: define internal void @tagged.kdiff(
; IR-COUNT-3: load float
; IR-NOT: mem{{cpy|move}}
; IR: ret void
define ptx_kernel void @tagged(ptr %x, ptr %y) {
  call void @llvm.memmove.p0.p0.i64(ptr %y, ptr %x, i64 12, i1 false), !tbaa.struct !0
  ret void
}

; IR-LABEL: define internal void @indexed.kdiff(
; IR: load i8
; IR: load i8
; IR: load i16
; IR: load float
; IR-NOT: memcpy
; IR: ret void
define ptx_kernel void @indexed(ptr %x, ptr %y, i64 %i) {
  %p = getelementptr %Padded, ptr %x, i64 %i
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %p, i64 8, i1 false)
  ret void
}

; The length is an argument of the function that copies.
; IR-LABEL: define internal void @throughCall.kdiff(
; IR-NOT: memcpy
; IR-NOT: alloca
; IR: [[V:%.*]] = load float
; IR: fmul float [[V]], [[V]]
; IR: ret void
define ptx_kernel void @throughCall(ptr %x, ptr %y) {
  %v = alloca float
  call void @copy(ptr %v, ptr %x, i64 4)
  %a = load float, ptr %v
  %b = fmul float %a, %a
  store float %b, ptr %y
  ret void
}
define void @copy(ptr %to, ptr %from, i64 %n) noinline {
  %n.addr = alloca i64
  store i64 %n, ptr %n.addr
  %m = load i64, ptr %n.addr
  call void @llvm.memcpy.p0.p0.i64(ptr %to, ptr %from, i64 %m, i1 false)
  ret void
}

; A first field tells nothing about what lies behind it.
; IR-LABEL: define internal void @untold.kdiff(
; IR: call void @llvm.memcpy
; IR: ret void
define ptx_kernel void @untold(ptr %x, ptr %y) {
  %v = load float, ptr %x
  store float %v, ptr %y
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 16, i1 false)
  ret void
}

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.memmove.p0.p0.i64(ptr, ptr, i64, i1)
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @declared, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %x, ptr %dx)
  call void (...) @__kd_autodiff(ptr @tagged, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %x, ptr %dx)
  call void (...) @__kd_autodiff(ptr @indexed, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", i64 1)
  call void (...) @__kd_autodiff(ptr @throughCall, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %x, ptr %dx)
  call void (...) @__kd_autodiff(ptr @untold, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %x, ptr %dx)
  ret void
}

!0 = !{i64 0, i64 12, !1}
!1 = !{!2, !2, i64 0}
!2 = !{!"float", !3}
!3 = !{!"omnipotent char", !4}
!4 = !{!"Simple C++ TBAA"}
