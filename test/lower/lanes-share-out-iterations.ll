; Lanes come to the loop from all sides, put their iterations in a row, and take
; one of these each in every round, with the owner's values: a word is exchanged
; where it is fewer than what is computed from it, and nothing that is the same
; in all lanes. The owner's memory is the others' from a synchronisation on, and
; what they added is the owner's behind another one.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s --implicit-check-not=kdiff.share

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @f(
; CHECK: [[TRIPS:%.*]] = add i64 %last, 1
; CHECK: meet:
; CHECK-DAG: phi i64 [ [[TRIPS]], %loop.preheader ], [ 0, %past.done ]
; CHECK-DAG: [[GOES:%.*]] = phi i32 [ 0, %loop.preheader ], [ 1, %past.done ]
; CHECK-DAG: [[SCALE:%.*]] = phi float [ %scale, %loop.preheader ], [ poison, %past.done ]
; CHECK: [[MASK:%.*]] = call i32 @llvm.nvvm.activemask()
; CHECK-NEXT: call void @llvm.nvvm.bar.warp.sync(i32 [[MASK]])
; CHECK: part:
; CHECK-NEXT: switch i32 [[GOES]]
; CHECK: share.part:
; CHECK: call i64 @llvm.umin.i64(i64 %left, i64 67108864)
; CHECK: share.round:
; CHECK: [[OWNER:%.*]] = call i32 @__kd_share_owner(
; CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 [[MASK]], i32 %before, i32 [[OWNER]], i32 31)
; CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 [[MASK]], i32 {{.*}}, i32 [[OWNER]], i32 31)
; CHECK: call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 [[MASK]], i32 %tid{{.*}}, i32 [[OWNER]], i32 31)
; CHECK-NOT: shfl
; CHECK: zext nneg i32
; CHECK: icmp ult i32 %item, %total
; CHECK: share.apart:
; CHECK-NEXT: call void @llvm.nvvm.bar.warp.sync(i32 [[MASK]])
; CHECK-NEXT: br label %part
define ptx_kernel void @f(ptr addrspace(1) %d, ptr addrspace(1) %v, ptr addrspace(1) %w, i64 %last, i32 %n) #0 {
entry:
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = sext i32 %tid to i64
  %row = getelementptr float, ptr addrspace(1) %v, i64 %at
  %in = icmp slt i32 %tid, %n
  br i1 %in, label %own, label %done
own:
  %q = getelementptr float, ptr addrspace(1) %w, i64 %at
  %scale = load float, ptr addrspace(1) %q
  %some = fcmp une float %scale, 0.0
  br i1 %some, label %loop, label %done
loop:
  %i = phi i64 [ %last, %own ], [ %i1, %loop ]
  %p = getelementptr float, ptr addrspace(1) %row, i64 %i
  %a = load float, ptr addrspace(1) %p
  %b = fmul float %a, %scale
  %t = getelementptr float, ptr addrspace(1) %d, i64 %i
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %t, float %b, i32 5)
  %c = icmp eq i64 %i, 0
  %i1 = sub i64 %i, 1
  br i1 %c, label %done, label %loop, !llvm.loop !0
done:
  ret void
}

; What carries something else stays a loop of the lane.
; CHECK-LABEL: define ptx_kernel void @carries(
; CHECK-NOT: activemask
; CHECK: {{^}}}
define ptx_kernel void @carries(ptr addrspace(1) %d, ptr addrspace(1) %v, i64 %last) #0 {
entry:
  br label %loop
loop:
  %i = phi i64 [ %last, %entry ], [ %i1, %loop ]
  %s = phi float [ 1.0, %entry ], [ %b, %loop ]
  %p = getelementptr float, ptr addrspace(1) %v, i64 %i
  %a = load float, ptr addrspace(1) %p
  %b = fmul float %a, %s
  %t = getelementptr float, ptr addrspace(1) %d, i64 %i
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %t, float %b, i32 5)
  %c = icmp eq i64 %i, 0
  %i1 = sub i64 %i, 1
  br i1 %c, label %done, label %loop, !llvm.loop !0
done:
  ret void
}

; And so does what reads memory that may be the lane's own.
; CHECK-LABEL: define ptx_kernel void @own(
; CHECK-NOT: activemask
; CHECK: {{^}}}
define ptx_kernel void @own(ptr addrspace(1) %d, ptr addrspace(1) %places, i64 %last) #0 {
entry:
  %v = load ptr, ptr addrspace(1) %places
  br label %loop
loop:
  %i = phi i64 [ %last, %entry ], [ %i1, %loop ]
  %p = getelementptr float, ptr %v, i64 %i
  %a = load float, ptr %p
  %t = getelementptr float, ptr addrspace(1) %d, i64 %i
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %t, float %a, i32 5)
  %c = icmp eq i64 %i, 0
  %i1 = sub i64 %i, 1
  br i1 %c, label %done, label %loop, !llvm.loop !0
done:
  ret void
}

declare void @kd.accumulate.f32.p1(ptr addrspace(1), float, i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
attributes #0 = { "target-cpu"="sm_90" }
!0 = distinct !{!0, !1}
!1 = !{!"kdiff.share"}
