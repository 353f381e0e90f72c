; Intrinsics of several numbers, reductions and norms of memory are simpler
; operations; a norm's call stays, and its slopes are attached.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @pairs.kdiff(
; CHECK-DAG: call float @llvm.sin.f32(
; CHECK-DAG: call float @llvm.cos.f32(
; CHECK-DAG: call double @__nv_sinpi(
; CHECK-DAG: call float @llvm.trunc.f32(
; CHECK-DAG: call i32 @__nv_ilogb(double
; CHECK-DAG: call double @llvm.ldexp.f64.i32(
; CHECK: ret void
define ptx_kernel void @pairs(ptr %p, float %x, double %d) {
  %sc = call {float, float} @llvm.sincos.f32(float %x)
  %s = extractvalue {float, float} %sc, 0
  %c = extractvalue {float, float} %sc, 1
  %pi = call {double, double} @llvm.sincospi.f64(double %d)
  %sp = extractvalue {double, double} %pi, 0
  %m = call {float, float} @llvm.modf.f32(float %x)
  %f = extractvalue {float, float} %m, 0
  %fe = call {double, i32} @llvm.frexp.f64.i32(double %d)
  %mantissa = extractvalue {double, i32} %fe, 0
  %e = extractvalue {double, i32} %fe, 1
  store float %s, ptr %p
  store volatile float %c, ptr %p
  store volatile float %f, ptr %p
  store volatile double %sp, ptr %p
  store volatile double %mantissa, ptr %p
  store volatile i32 %e, ptr %p
  ret void
}

; CHECK-LABEL: define internal void @sums.kdiff(
; CHECK: fadd float {{.*}}%start
; CHECK: fadd float
; CHECK: call float @llvm.maximum.f32(
; CHECK: ret void
define ptx_kernel void @sums(ptr %p, float %start, <2 x float> %v) {
  %sum = call float @llvm.vector.reduce.fadd.v2f32(float %start, <2 x float> %v)
  %max = call float @llvm.vector.reduce.fmaximum.v2f32(<2 x float> %v)
  store float %sum, ptr %p
  store volatile float %max, ptr %p
  ret void
}

; CHECK-LABEL: define internal void @length.kdiff(
; CHECK: %[[Y:.*]] = call double @__nv_norm(i32 %n, {{.*}}) #{{[0-9]+}}
; CHECK: %[[ZERO:.*]] = fcmp oeq double %[[Y]], 0.0
; CHECK: %[[X:.*]] = load double
; CHECK: %[[RATIO:.*]] = fdiv double %[[X]], %[[Y]]
; CHECK: %[[SLOPE:.*]] = select i1 %[[ZERO]], double 0.0{{.*}}, double %[[RATIO]]
; CHECK: call double @kd.attach.f64.f64(double %{{.*}}, double %[[X]], double %[[SLOPE]])
define ptx_kernel void @length(ptr %p, ptr %out, i32 %n) {
  %y = call double @__nv_norm(i32 %n, ptr %p)
  store double %y, ptr %out
  ret void
}

declare {float, float} @llvm.sincos.f32(float)
declare {double, double} @llvm.sincospi.f64(double)
declare {float, float} @llvm.modf.f32(float)
declare {double, i32} @llvm.frexp.f64.i32(double)
declare float @llvm.vector.reduce.fadd.v2f32(float, <2 x float>)
declare float @llvm.vector.reduce.fmaximum.v2f32(<2 x float>)
declare double @__nv_norm(i32, ptr)

declare void @__kd_autodiff(...)
define void @request(ptr %p, ptr %d) {
  call void (...) @__kd_autodiff(ptr @pairs, metadata !"kd_dup", ptr %p, ptr %d, metadata !"kd_const", float 1.0, metadata !"kd_const", double 1.0)
  call void (...) @__kd_autodiff(ptr @sums, metadata !"kd_dup", ptr %p, ptr %d, metadata !"kd_const", float 1.0, metadata !"kd_const", <2 x float> zeroinitializer)
  call void (...) @__kd_autodiff(ptr @length, metadata !"kd_dup", ptr %p, ptr %d, metadata !"kd_dup", ptr %p, ptr %d, i32 3)
  ret void
}
