; Where the warp's longest loop has a snapshot for each of its segments, none is
; searched: the state of the segment before is fetched from local memory while one
; is reversed. A thread that waits fetches that of its own last segment. Segments
; of the forward sweep are unrolled, so that it looks for a snapshot once in each.
; RUN: %opt -passes='kdiff<stop-after=emit>,function(sroa,instcombine)' -S %s | FileCheck %s
; RUN: %opt -passes='kdiff,function(loop-simplify,instcombine,simplifycfg)' -S %s | FileCheck %s --check-prefix=LOWER

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @kdiff.grad.known(
; CHECK: %[[MOST:.*]] = call i32 @kd.warp.max(
; CHECK: %[[ALL:.*]] = icmp ult i32 %[[MOST]], 129
; CHECK: {{^}}loop:
; CHECK: and i32 %count{{.*}}, 7
; CHECK: br label %loop, !llvm.loop ![[ID:[0-9]+]]
; CHECK: {{^}}rev.segment.loop:
; CHECK: br i1 %[[ALL]], label %rev.fetched.loop, label %rev.search.loop
; CHECK: {{^}}rev.fetched.loop:
; CHECK: %[[SEGMENT:.*]] = lshr {{.*}}i32 %first{{.*}}, 3
; CHECK: %[[NEXT:.*]] = add {{.*}}i32 %[[SEGMENT]], -1
; CHECK: %[[TOP:.*]] = add i32 %snapshots{{.*}}, -1
; CHECK: %[[AT:.*]] = call i32 @llvm.umin.i32(i32 %[[NEXT]], i32 %[[TOP]])
; CHECK: %[[WIDE:.*]] = sext i32 %[[AT]] to i64
; CHECK: %[[RECORD:.*]] = getelementptr inbounds [8 x i8], ptr %records, i64 %[[WIDE]]
; CHECK: load float, ptr %[[RECORD]]
; CHECK: br label %rev.state.loop
; CHECK: {{^}}rev.search.loop:
; CHECK-DAG: ![[ID]] = distinct !{![[ID]], ![[BY:[0-9]+]]}
; CHECK-DAG: ![[BY]] = !{!"kdiff.unroll", i32 8}

; LOWER-LABEL: define void @request(
; LOWER-COUNT-8: call {{.*}}float @llvm.sqrt.f32(
; LOWER-NOT: call {{.*}}float @llvm.sqrt.f32(
; LOWER: {{^}}rev.segment.loop
define ptx_kernel void @known(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  %root = call float @llvm.sqrt.f32(float %s)
  %s.next = fadd float %s, %root
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}
declare float @llvm.sqrt.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @known, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
