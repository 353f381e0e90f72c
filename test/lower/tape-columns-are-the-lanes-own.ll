; Lanes are interleaved by words of eight bytes, whatever the fields' sizes, and
; neighbours within a word are one access.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s
; RUN: %opt -passes=kdiff-lower -S %s | %llc -mcpu=sm_90 -o - | FileCheck %s --check-prefix=PTX

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK: call {{.*}}@__kd_tape_grow({{.*}}, i32 {{(noundef )?}}24, ptr addrspace(1) {{(noundef )?}}null)
; CHECK: %[[LANE:.*]] = shl nuw nsw i32 %{{.*}}, 3
; CHECK: %[[OFFSET:.*]] = zext nneg i32 %[[LANE]] to i64
; CHECK: %[[WORD:.*]] = getelementptr inbounds nuw i8, ptr addrspace(1) %{{.*}}, i64 %[[OFFSET]]
; CHECK: store float %v, ptr addrspace(1) %[[WORD]], align 8
; CHECK: %[[SECOND:.*]] = getelementptr inbounds nuw i8, ptr addrspace(1) %[[WORD]], i64 4
; CHECK: store float %w, ptr addrspace(1) %[[SECOND]], align 4
; CHECK: %[[NEXT:.*]] = getelementptr inbounds nuw i8, ptr addrspace(1) %[[WORD]], i64 256
; CHECK: store double %d, ptr addrspace(1) %[[NEXT]], align 8
; CHECK: %[[LAST:.*]] = getelementptr inbounds nuw i8, ptr addrspace(1) %[[WORD]], i64 514
; CHECK: store i16 %s, ptr addrspace(1) %[[LAST]], align 2
; PTX: st.global.v2.b32
define ptx_kernel void @k(float %v, float %w, double %d, i16 %s) {
  %t = alloca { ptr addrspace(1), i32, i32, ptr addrspace(1) }
  call void @kd.tape.open(ptr %t, ptr null)
  %r = call ptr addrspace(1) @kd.tape.push(ptr %t, i32 20)
  %f = call ptr addrspace(1) @kd.tape.field(ptr %t, ptr addrspace(1) %r, i32 0, i32 4)
  store float %v, ptr addrspace(1) %f
  %g = call ptr addrspace(1) @kd.tape.field(ptr %t, ptr addrspace(1) %r, i32 4, i32 4)
  store float %w, ptr addrspace(1) %g
  %h = call ptr addrspace(1) @kd.tape.field(ptr %t, ptr addrspace(1) %r, i32 8, i32 8)
  store double %d, ptr addrspace(1) %h
  %i = call ptr addrspace(1) @kd.tape.field(ptr %t, ptr addrspace(1) %r, i32 18, i32 2)
  store i16 %s, ptr addrspace(1) %i
  call void @kd.tape.close(ptr %t)
  ret void
}

; A field of several words is not contiguous.
; CHECK-LABEL: define ptx_kernel void @wide(
; CHECK-NOT: alloca
; CHECK: store i64 %{{.*}}, ptr addrspace(1) %[[FIRST:.*]], align 8
; CHECK: %[[OTHER:.*]] = getelementptr inbounds nuw i8, ptr addrspace(1) %[[FIRST]], i64 256
; CHECK: store i64 %{{.*}}, ptr addrspace(1) %[[OTHER]], align 8
; CHECK: load i64, ptr addrspace(1)
; CHECK: load i64, ptr addrspace(1)
; CHECK: store i128 %{{.*}}, ptr addrspace(1)
; CHECK: ret void
define ptx_kernel void @wide(i128 %v, ptr %out) {
  %t = alloca { ptr addrspace(1), i32, i32, ptr addrspace(1) }
  call void @kd.tape.open(ptr %t, ptr null)
  %r = call ptr addrspace(1) @kd.tape.push(ptr %t, i32 24)
  %f = call ptr addrspace(1) @kd.tape.field(ptr %t, ptr addrspace(1) %r, i32 0, i32 16)
  store i128 %v, ptr addrspace(1) %f
  %q = call ptr addrspace(1) @kd.tape.pop(ptr %t, i32 24)
  %g = call ptr addrspace(1) @kd.tape.field(ptr %t, ptr addrspace(1) %q, i32 0, i32 16)
  %w = load i128, ptr addrspace(1) %g
  store i128 %w, ptr %out
  call void @kd.tape.close(ptr %t)
  ret void
}

declare void @kd.tape.open(ptr, ptr)
declare void @kd.tape.close(ptr)
declare ptr addrspace(1) @kd.tape.push(ptr, i32)
declare ptr addrspace(1) @kd.tape.pop(ptr, i32)
declare ptr addrspace(1) @kd.tape.field(ptr, ptr addrspace(1), i32, i32)
