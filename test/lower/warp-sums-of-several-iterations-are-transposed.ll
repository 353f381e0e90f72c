; Four iterations of a loop that sums over the warp make their sums by a
; transposition: two exchanges and one more, by the distances of the single sum in
; their order, and the other three steps for all. What follows from a sum, the same
; for all lanes, is computed once, by each lane for one iteration, and told to all.
; A loop of what is left over sums for each iteration.
; RUN: %opt -passes='kdiff-lower,default<O2>' -S %s | FileCheck %s --implicit-check-not=kdiff.together --implicit-check-not='call {{.*}}kd.'

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare float @kd.shfl.back.f32(i32, i32, float, i32, i32)
declare i64 @kd.shfl.i64(i32, i32, i64, i32, i32)
declare void @kd.accumulate.f32.p1(ptr addrspace(1), float, i32)
declare void @kd.accumulate.f64.p1(ptr addrspace(1), double, i32)
declare float @__nv_rsqrtf(float)
!0 = distinct !{!0, !1}
!1 = !{!"kdiff.together", i32 4}

; CHECK-LABEL: define ptx_kernel void @f(
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 16, i32 31)
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 16, i32 31)
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 8, i32 31)
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 4, i32 31)
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 2, i32 31)
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 1, i32 31)
; CHECK-NOT: shfl
; CHECK: rsqrt
; CHECK-NOT: rsqrt
; CHECK: shfl.sync.idx.f32({{.*}}, i32 0, i32 31)
; CHECK: atomicrmw fadd
; CHECK: shfl.sync.idx.f32({{.*}}, i32 8, i32 31)
; CHECK: atomicrmw fadd
; CHECK: shfl.sync.idx.f32({{.*}}, i32 16, i32 31)
; CHECK: atomicrmw fadd
; CHECK: shfl.sync.idx.f32({{.*}}, i32 24, i32 31)
; CHECK: atomicrmw fadd
; CHECK-NOT: shfl.sync.idx
; CHECK-COUNT-5: shfl.sync.bfly.f32(
; CHECK: rsqrt
; CHECK: {{^}}}
define ptx_kernel void @f(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %d, float %scale, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = uitofp i32 %t to float
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr addrspace(1) %x, i32 %at
  %v = load float, ptr addrspace(1) %p
  %e0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 16, i32 31)
  %s0 = fadd float %v, %e0
  %e1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s0, i32 8, i32 31)
  %s1 = fadd float %s0, %e1
  %e2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s1, i32 4, i32 31)
  %s2 = fadd float %s1, %e2
  %e3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s2, i32 2, i32 31)
  %s3 = fadd float %s2, %e3
  %e4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s3, i32 1, i32 31)
  %sum = fadd float %s3, %e4
  %scaled = fmul float %sum, %scale
  %root = call float @__nv_rsqrtf(float %scaled)
  %mine = fmul float %root, %own
  %q = getelementptr float, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %q, float %mine, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; Distances that go up; what follows depends on the lane, and is computed for each.
; CHECK-LABEL: define ptx_kernel void @rising(
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 1, i32 31)
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 1, i32 31)
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 2, i32 31)
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 4, i32 31)
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 8, i32 31)
; CHECK: shfl.sync.bfly.f32({{.*}}, i32 16, i32 31)
; CHECK-COUNT-4: call float @llvm.nvvm.rsqrt
; CHECK-COUNT-5: shfl.sync.bfly.f32(
; CHECK-COUNT-1: call float @llvm.nvvm.rsqrt
; CHECK: {{^}}}
define ptx_kernel void @rising(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %d, float %scale, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = uitofp i32 %t to float
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr addrspace(1) %x, i32 %at
  %v = load float, ptr addrspace(1) %p
  %e0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 1, i32 31)
  %s0 = fadd float %v, %e0
  %e1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s0, i32 2, i32 31)
  %s1 = fadd float %s0, %e1
  %e2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s1, i32 4, i32 31)
  %s2 = fadd float %s1, %e2
  %e3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s2, i32 8, i32 31)
  %s3 = fadd float %s2, %e3
  %e4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s3, i32 16, i32 31)
  %sum = fadd float %s3, %e4
  %scaled = fmul float %sum, %own
  %root = call float @__nv_rsqrtf(float %scaled)
  %mine = fmul float %root, %own
  %q = getelementptr float, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %q, float %mine, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; An adjoint, by the runtime's shuffles, in any order.
; CHECK-LABEL: define ptx_kernel void @back(
; CHECK-COUNT-6: shfl.sync.bfly.f32(
; CHECK-COUNT-4: shfl.sync.idx.f32(
; CHECK-NOT: shfl.sync.bfly
; CHECK: {{^}}}
define ptx_kernel void @back(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %d, float %scale, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = uitofp i32 %t to float
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr addrspace(1) %x, i32 %at
  %v = load float, ptr addrspace(1) %p
  %e0 = call float @kd.shfl.back.f32(i32 2, i32 -1, float %v, i32 1, i32 31)
  %s0 = fadd float %v, %e0
  %e1 = call float @kd.shfl.back.f32(i32 2, i32 -1, float %s0, i32 2, i32 31)
  %s1 = fadd float %s0, %e1
  %e2 = call float @kd.shfl.back.f32(i32 2, i32 -1, float %s1, i32 4, i32 31)
  %s2 = fadd float %s1, %e2
  %e3 = call float @kd.shfl.back.f32(i32 2, i32 -1, float %s2, i32 8, i32 31)
  %s3 = fadd float %s2, %e3
  %e4 = call float @kd.shfl.back.f32(i32 2, i32 -1, float %s3, i32 16, i32 31)
  %sum = fadd float %s3, %e4
  %q = getelementptr float, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %q, float %sum, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; Doubles, in halves.
; CHECK-LABEL: define ptx_kernel void @wide(
; CHECK-COUNT-12: shfl.sync.bfly.i32(
; CHECK-COUNT-8: shfl.sync.idx.i32(
; CHECK-COUNT-10: shfl.sync.bfly.i32(
; CHECK-NOT: shfl.sync.
; CHECK: {{^}}}
define ptx_kernel void @wide(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %d, double %scale, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = uitofp i32 %t to double
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr double, ptr addrspace(1) %x, i32 %at
  %v = load double, ptr addrspace(1) %p
  %b0 = bitcast double %v to i64
  %w0 = call i64 @kd.shfl.i64(i32 2, i32 -1, i64 %b0, i32 16, i32 31)
  %e0 = bitcast i64 %w0 to double
  %s0 = fadd double %v, %e0
  %b1 = bitcast double %s0 to i64
  %w1 = call i64 @kd.shfl.i64(i32 2, i32 -1, i64 %b1, i32 8, i32 31)
  %e1 = bitcast i64 %w1 to double
  %s1 = fadd double %s0, %e1
  %b2 = bitcast double %s1 to i64
  %w2 = call i64 @kd.shfl.i64(i32 2, i32 -1, i64 %b2, i32 4, i32 31)
  %e2 = bitcast i64 %w2 to double
  %s2 = fadd double %s1, %e2
  %b3 = bitcast double %s2 to i64
  %w3 = call i64 @kd.shfl.i64(i32 2, i32 -1, i64 %b3, i32 2, i32 31)
  %e3 = bitcast i64 %w3 to double
  %s3 = fadd double %s2, %e3
  %b4 = bitcast double %s3 to i64
  %w4 = call i64 @kd.shfl.i64(i32 2, i32 -1, i64 %b4, i32 1, i32 31)
  %e4 = bitcast i64 %w4 to double
  %sum = fadd double %s3, %e4
  %q = getelementptr double, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f64.p1(ptr addrspace(1) %q, double %sum, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; An iteration may read what the one before wrote.
; CHECK-LABEL: define ptx_kernel void @reads(
; CHECK-COUNT-5: shfl.sync.bfly.f32(
; CHECK-NOT: shfl.sync
; CHECK: {{^}}}
define ptx_kernel void @reads(ptr addrspace(1) %x, ptr addrspace(1) %d, float %scale, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %own = uitofp i32 %t to float
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i1, %loop ]
  %at = add i32 %i, %t
  %p = getelementptr float, ptr addrspace(1) %x, i32 %at
  %v = load float, ptr addrspace(1) %p
  %e0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %v, i32 16, i32 31)
  %s0 = fadd float %v, %e0
  %e1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s0, i32 8, i32 31)
  %s1 = fadd float %s0, %e1
  %e2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s1, i32 4, i32 31)
  %s2 = fadd float %s1, %e2
  %e3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s2, i32 2, i32 31)
  %s3 = fadd float %s2, %e3
  %e4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %s3, i32 1, i32 31)
  %sum = fadd float %s3, %e4
  %q = getelementptr float, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %q, float %sum, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
