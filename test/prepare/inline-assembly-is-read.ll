; Inline assembly whose every statement is known becomes moves and comparisons
; in IR, and arithmetic on floating-point operands one instruction at a time.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @arithmetic.kdiff(
; CHECK: %[[A:.*]] = bitcast i16 %a to half
; CHECK: %[[B:.*]] = bitcast i16 %b to half
; CHECK: call half asm "fma.rn.f16 $0, $1, $2, $3;", "=h,h,h,h"(half %[[A]], half %[[B]], half %[[A]])
; CHECK: call float asm "cvt.f32.f16 $0, $1;", "=f,h"(half
; CHECK: call float asm "ex2.approx.f32 $0, $1;", "=f,f"(float
; CHECK: ret void
define ptx_kernel void @arithmetic(ptr %p, i16 %a, i16 %b) {
  %h = call i16 asm "{fma.rn.f16 $0,$1,$2,$3;\0A}", "=h,h,h,h"(i16 %a, i16 %b, i16 %a)
  %f = call float asm "{  cvt.f32.f16 $0, $1;}\0A", "=f,h"(i16 %h)
  %e = call float asm "{ ex2.approx.f32 $0, $0; }", "=f,0"(float %f)
  store float %e, ptr %p
  ret void
}

; Names end with their scopes; operands may be read again.
; CHECK-LABEL: define internal void @scopes.kdiff(
; CHECK: fcmp oeq half
; CHECK: uitofp i1
; CHECK: %[[R:.*]] = call half asm "fma.rn.f16 $0, $1, $2, $3;"
; CHECK: call half asm "abs.f16 $0, $1;", "=h,h"(half %[[R]])
; CHECK-NOT: asm
; CHECK: ret void
define ptx_kernel void @scopes(ptr %p, i16 %a) {
  %r = call i16 asm "{.reg.b16 h, r; mov.b16 h, $1; mov.b16 r, $1; /* { */\0A{.reg .b16 h, p; // inner\0A mov.b16 h,0X1F79U; set.eq.f16.f16 p,r,h; fma.rn.f16 r,p,h,r; }\0A abs.f16 $0, r; }", "=h,h"(i16 %a)
  store i16 %r, ptr %p
  ret void
}

; CHECK-LABEL: define internal void @pairs.kdiff(
; CHECK: %[[L:.*]] = call half asm "cvt.rn.f16.f32 $0, $1;", "=h,f"(float %x)
; CHECK: %[[H:.*]] = call half asm "cvt.rn.f16.f32 $0, $1;", "=h,f"(float %y)
; CHECK: insertelement <2 x half> poison, half %[[L]], i64 0
; CHECK: insertelement <2 x half> {{.*}}, half %[[H]], i64 1
; CHECK: fcmp ogt <2 x half>
; CHECK: ret void
define ptx_kernel void @pairs(ptr %p, float %x, float %y) {
  %v = call i32 asm "{ cvt.rn.f16x2.f32 $0, $2, $1; }", "=r,f,f"(float %x, float %y)
  %m = call i32 asm "{ set.gt.f16x2.f16x2 $0,$1,$2;\0A}", "=r,r,r"(i32 %v, i32 0)
  store i32 %m, ptr %p
  ret void
}

; CHECK-LABEL: define internal void @memory.kdiff(
; CHECK: load <4 x float>, ptr addrspace(1) %{{.*}}, align 16, !invariant.load
; CHECK: store float %{{.*}}, ptr addrspace(1)
; CHECK: ret void
define ptx_kernel void @memory(ptr %p, ptr %q) {
  %v = call {float, float, float, float} asm "ld.global.nc.L1::no_allocate.v4.f32 {$0,$1,$2,$3}, [$4];", "=f,=f,=f,=f,l"(ptr %p)
  %x = extractvalue {float, float, float, float} %v, 2
  call void asm sideeffect "st.global.cs.f32 [$0+4], $1;", "l,f,~{memory}"(ptr %q, float %x)
  ret void
}

; What is not known stays as it is, as a whole.
; CHECK-LABEL: define internal void @unknown.kdiff(
; CHECK: call i32 asm "{ .reg .b32 t; mov.b32 t, $1; prmt.b32 $0, t, 0, 0x0123; }", "=r,r"(i32 %a)
; CHECK-NEXT: call i16 asm "@p add.f16 $0, $1, $1;", "=h,h"(i16 %h)
; CHECK-NEXT: call i16 asm "{ label: mov.b16 $0, $1; }", "=h,h"(i16 %h)
define ptx_kernel void @unknown(ptr %p, i32 %a, i16 %h) {
  %r = call i32 asm "{ .reg .b32 t; mov.b32 t, $1; prmt.b32 $0, t, 0, 0x0123; }", "=r,r"(i32 %a)
  %s = call i16 asm "@p add.f16 $0, $1, $1;", "=h,h"(i16 %h)
  %t = call i16 asm "{ label: mov.b16 $0, $1; }", "=h,h"(i16 %h)
  store i32 %r, ptr %p
  store volatile i16 %s, ptr %p
  store volatile i16 %t, ptr %p
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %p, ptr %d, i16 %h) {
  call void (...) @__kd_autodiff(ptr @arithmetic, metadata !"kd_dup", ptr %p, ptr %d, i16 %h, i16 %h)
  call void (...) @__kd_autodiff(ptr @scopes, metadata !"kd_dup", ptr %p, ptr %d, i16 %h)
  call void (...) @__kd_autodiff(ptr @pairs, metadata !"kd_dup", ptr %p, ptr %d, metadata !"kd_const", float 1.0, metadata !"kd_const", float 1.0)
  call void (...) @__kd_autodiff(ptr @memory, metadata !"kd_dup", ptr %p, ptr %d, metadata !"kd_dup", ptr %p, ptr %d)
  call void (...) @__kd_autodiff(ptr @unknown, metadata !"kd_dup", ptr %p, ptr %d, i32 1, i16 %h)
  ret void
}
