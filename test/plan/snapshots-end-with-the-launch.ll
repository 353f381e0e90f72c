; Snapshots in local memory end with the launch: in split mode, whose reverse
; sweep is another launch, the tape keeps what each segment starts from, and a
; remark says that __kd_checkpoint has no effect. Nor are there any unasked.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output -pass-remarks-analysis=kdiff %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: remark: {{.*}}no snapshots: the reverse sweep is another function's
; CHECK: loop %loop, checkpoint every 8 iterations, unrolled{{$}}
; CHECK-NEXT: record of %loop: 8 bytes{{$}}
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  call void @__kd_checkpoint(i32 5)
  %sine = call float @llvm.sin.f32(float %s)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}
declare float @llvm.sin.f32(float)

declare void @__kd_checkpoint(i32)
declare void @__kd_augment(...)
define void @request(ptr %tape, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_augment(ptr @f, ptr %tape, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
