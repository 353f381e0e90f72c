; What follows from sums over the warp is computed by a lane for an iteration only
; where all lanes are known to compute the same: not from what depends on the lane,
; comes by ways that lanes choose, leaves a loop that lanes leave one by one, is
; loaded, or is given to a function that is no kernel.
; RUN: %opt -passes='kdiff-lower,default<O2>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare float @llvm.nvvm.shfl.sync.bfly.f32(i32, float, i32, i32)
declare void @kd.accumulate.f32.p1(ptr addrspace(1), float, i32)
declare float @__nv_rsqrtf(float)
!0 = distinct !{!0, !1}
!1 = !{!"kdiff.together", i32 4}

; CHECK-LABEL: define ptx_kernel void @given(
; The body, and what is left over.
; CHECK-COUNT-2: @llvm.nvvm.rsqrt
; CHECK-NOT: @llvm.nvvm.rsqrt
; CHECK: {{^}}}
define ptx_kernel void @given(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %d, float %given, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
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
  %shifted = fadd float %sum, %given
  %root = call float @__nv_rsqrtf(float %shifted)
  %mine = fmul float %root, %v
  %q = getelementptr float, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %q, float %mine, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define void @function(
; The body, and what is left over.
; CHECK-COUNT-5: @llvm.nvvm.rsqrt
; CHECK-NOT: @llvm.nvvm.rsqrt
; CHECK: {{^}}}
define void @function(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %d, float %given, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
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
  %shifted = fadd float %sum, %given
  %root = call float @__nv_rsqrtf(float %shifted)
  %mine = fmul float %root, %v
  %q = getelementptr float, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %q, float %mine, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @loaded(
; The body, and what is left over.
; CHECK-COUNT-5: @llvm.nvvm.rsqrt
; CHECK-NOT: @llvm.nvvm.rsqrt
; CHECK: {{^}}}
define ptx_kernel void @loaded(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %d, float %given, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = load float, ptr addrspace(1) %d
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
  %shifted = fadd float %sum, %first
  %root = call float @__nv_rsqrtf(float %shifted)
  %mine = fmul float %root, %v
  %q = getelementptr float, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %q, float %mine, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @lanes.ways(
; The body, and what is left over.
; CHECK-COUNT-5: @llvm.nvvm.rsqrt
; CHECK-NOT: @llvm.nvvm.rsqrt
; CHECK: {{^}}}
define ptx_kernel void @lanes.ways(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %d, float %given, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %t, 5
  br i1 %low, label %one, label %other
one:
  br label %before
other:
  fence seq_cst
  br label %before
before:
  %chosen = phi float [ 1.0, %one ], [ 2.0, %other ]
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i1, %loop ]
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
  %shifted = fadd float %sum, %chosen
  %root = call float @__nv_rsqrtf(float %shifted)
  %mine = fmul float %root, %v
  %q = getelementptr float, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %q, float %mine, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; All lanes go the same way.
; CHECK-LABEL: define ptx_kernel void @one.way(
; The body, and what is left over.
; CHECK-COUNT-2: @llvm.nvvm.rsqrt
; CHECK-NOT: @llvm.nvvm.rsqrt
; CHECK: {{^}}}
define ptx_kernel void @one.way(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %d, float %given, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %low = icmp ult i32 %n, 500
  br i1 %low, label %one, label %other
one:
  br label %before
other:
  fence seq_cst
  br label %before
before:
  %chosen = phi float [ 1.0, %one ], [ 2.0, %other ]
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i1, %loop ]
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
  %shifted = fadd float %sum, %chosen
  %root = call float @__nv_rsqrtf(float %shifted)
  %mine = fmul float %root, %v
  %q = getelementptr float, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %q, float %mine, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @one.by.one(
; The body, and what is left over.
; CHECK-COUNT-5: @llvm.nvvm.rsqrt
; CHECK-NOT: @llvm.nvvm.rsqrt
; CHECK: {{^}}}
define ptx_kernel void @one.by.one(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %d, float %given, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %first
first:
  %j = phi i32 [ 0, %entry ], [ %j1, %first ]
  %a = phi float [ 0.0, %entry ], [ %a1, %first ]
  %a1 = fadd float %a, %given
  %j1 = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %j1, %t
  br i1 %more, label %first, label %before
before:
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i1, %loop ]
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
  %shifted = fadd float %sum, %a1
  %root = call float @__nv_rsqrtf(float %shifted)
  %mine = fmul float %root, %v
  %q = getelementptr float, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %q, float %mine, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}

; Lanes leave a loop together that sums over the warp.
; CHECK-LABEL: define ptx_kernel void @earlier(
; The body, and what is left over.
; CHECK-COUNT-2: @llvm.nvvm.rsqrt
; CHECK-NOT: @llvm.nvvm.rsqrt
; CHECK: {{^}}}
define ptx_kernel void @earlier(ptr addrspace(1) noalias %x, ptr addrspace(1) noalias %d, float %given, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br label %first
first:
  %j = phi i32 [ 0, %entry ], [ %j1, %first ]
  %a = phi float [ 0.0, %entry ], [ %a1, %first ]
  %jat = add i32 %j, %t
  %jp = getelementptr float, ptr addrspace(1) %x, i32 %jat
  %jv = load float, ptr addrspace(1) %jp
  %je0 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %jv, i32 16, i32 31)
  %js0 = fadd float %jv, %je0
  %je1 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %js0, i32 8, i32 31)
  %js1 = fadd float %js0, %je1
  %je2 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %js1, i32 4, i32 31)
  %js2 = fadd float %js1, %je2
  %je3 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %js2, i32 2, i32 31)
  %js3 = fadd float %js2, %je3
  %je4 = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %js3, i32 1, i32 31)
  %jsum = fadd float %js3, %je4
  %a1 = call float @llvm.maxnum.f32(float %a, float %jsum)
  %j1 = add nuw nsw i32 %j, 1
  %more = icmp ult i32 %j1, %t
  br i1 %more, label %first, label %before
before:
  br label %loop
loop:
  %i = phi i32 [ 0, %before ], [ %i1, %loop ]
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
  %shifted = fadd float %sum, %a1
  %root = call float @__nv_rsqrtf(float %shifted)
  %mine = fmul float %root, %v
  %q = getelementptr float, ptr addrspace(1) %d, i32 %at
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %q, float %mine, i32 5)
  %i1 = add nuw nsw i32 %i, 1
  %c = icmp ult i32 %i1, %n
  br i1 %c, label %loop, label %exit, !llvm.loop !0
exit:
  ret void
}
