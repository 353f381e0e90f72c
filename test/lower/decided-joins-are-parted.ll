; Where each way into a join tells which way its branch goes, each goes on by
; itself: the early return, and the sweep. One that is not decided on a way, is a
; loop's, or holds what lanes do together stays.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @returns(
; CHECK: br i1 %{{.*}}, label %work, label %{{.*}}
; CHECK: {{^}}work:
; CHECK-NOT: br
; CHECK: load float, ptr addrspace(1) %p
; CHECK-NOT: br
; CHECK: store float %
; CHECK: {{^}}end:
; CHECK: ret void
define void @returns(ptr addrspace(1) %p, i32 %i, i32 %n) {
  %out = icmp sge i32 %i, %n
  br i1 %out, label %join, label %work
work:
  %x = load float, ptr addrspace(1) %p
  br label %join
join:
  %kept = phi float [ poison, %0 ], [ %x, %work ]
  %in = icmp slt i32 %i, %n
  br i1 %in, label %reverse, label %end
reverse:
  %y = fmul float %kept, %kept
  store float %y, ptr addrspace(1) %p
  br label %end
end:
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %p, float 3.0, i32 5)
  ret void
}

; CHECK-LABEL: define void @undecided(
; CHECK: {{^}}join:
; CHECK: br i1 %in,
define void @undecided(ptr addrspace(1) %p, i32 %i, i32 %n, i32 %m) {
  %out = icmp sge i32 %i, %n
  br i1 %out, label %join, label %work
work:
  store volatile float 1.0, ptr addrspace(1) %p
  br label %join
join:
  %in = icmp slt i32 %i, %m
  br i1 %in, label %reverse, label %end
reverse:
  store volatile float 2.0, ptr addrspace(1) %p
  br label %end
end:
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %p, float 3.0, i32 5)
  ret void
}

; CHECK-LABEL: define void @together(
; CHECK: {{^}}join:
; CHECK: call void @wait()
; CHECK: br i1
define void @together(ptr addrspace(1) %p, i32 %i, i32 %n) {
  %out = icmp sge i32 %i, %n
  br i1 %out, label %join, label %work
work:
  store volatile float 1.0, ptr addrspace(1) %p
  br label %join
join:
  call void @wait()
  br i1 %out, label %end, label %reverse
reverse:
  store volatile float 2.0, ptr addrspace(1) %p
  br label %end
end:
  call void @kd.accumulate.f32.p1(ptr addrspace(1) %p, float 3.0, i32 5)
  ret void
}

declare void @wait() #0
declare void @kd.accumulate.f32.p1(ptr addrspace(1), float, i32)
attributes #0 = { convergent }
