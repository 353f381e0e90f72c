; Of a loop whose chunks are four iterations, four in a row make their additions
; together: two words each take one exchange of eight words (4 + 2 + 1 and two more
; steps), whose addresses are those of the last iteration and constants. A loop of
; what is left over adds for each iteration (1 and four more steps).
; RUN: %opt -passes='kdiff-lower,default<O2>' -S %s | FileCheck %s --implicit-check-not=kdiff.chunk --implicit-check-not='call {{.*}}kd.'

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define ptx_kernel void @f(
; CHECK-COUNT-9: @llvm.nvvm.shfl.sync.bfly.f32(
; CHECK-COUNT-5: @llvm.nvvm.shfl.sync.bfly.f32(
; CHECK-NOT: shfl.sync.bfly
; CHECK: {{^}}}
define ptx_kernel void @f(ptr addrspace(1) %d, ptr addrspace(1) %v, i64 %last) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %last, %entry ], [ %i1, %back ]
  %p = getelementptr float, ptr addrspace(1) %v, i64 %i
  %a = load float, ptr addrspace(1) %p
  %w = getelementptr float, ptr addrspace(1) %d, i64 %i
  %w2 = getelementptr float, ptr addrspace(1) %w, i64 100
  call void (i32, ...) @kd.accumulate.chunk.f32(i32 4, ptr addrspace(1) %w, float %a, i64 4, ptr addrspace(1) %w2, float %a, i64 4)
  %c = icmp eq i64 %i, 0
  br i1 %c, label %exit, label %back
back:
  %i1 = sub i64 %i, 1
  br label %loop, !llvm.loop !0
exit:
  ret void
}

; What has another shape adds for each iteration.
; CHECK-LABEL: define ptx_kernel void @g(
; CHECK-COUNT-5: @llvm.nvvm.shfl.sync.bfly.f32(
; CHECK-NOT: shfl.sync.bfly
; CHECK: {{^}}}
define ptx_kernel void @g(ptr addrspace(1) %d, ptr addrspace(1) %v, i64 %last) {
entry:
  br label %loop
loop:
  %i = phi i64 [ %last, %entry ], [ %i1, %back ]
  %p = getelementptr float, ptr addrspace(1) %v, i64 %i
  %a = load float, ptr addrspace(1) %p
  %stop = fcmp oeq float %a, 1.0
  br i1 %stop, label %exit, label %add
add:
  %w = getelementptr float, ptr addrspace(1) %d, i64 %i
  call void (i32, ...) @kd.accumulate.chunk.f32(i32 4, ptr addrspace(1) %w, float %a, i64 4)
  %c = icmp eq i64 %i, 0
  br i1 %c, label %exit, label %back
back:
  %i1 = sub i64 %i, 1
  br label %loop, !llvm.loop !0
exit:
  ret void
}

declare void @kd.accumulate.chunk.f32(i32, ...)
!0 = distinct !{!0, !1}
!1 = !{!"kdiff.chunk", i32 4}
