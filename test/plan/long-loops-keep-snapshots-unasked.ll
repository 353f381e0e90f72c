; What a replayed loop starts its segments from is kept in local memory where to
; run the loop once more costs less than the tape: a few snapshots in an array,
; at most 128, and 4 KiB with the iterations they are of. A loop within another one,
; whose snapshots would not live long enough, one that costs much, and one that
; carries much keep the tape.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s --check-prefix=EMIT

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: loop %loop, checkpoint every 8 iterations, unrolled, 128 snapshots, trip count known, unrolled forth{{$}}
; CHECK-NEXT: record of %loop: 8 bytes, 128 in a local array
; CHECK-NEXT: +0 4 %s

; EMIT-LABEL: define internal void @kdiff.grad.cheap(
; EMIT-NOT: @kd.tape
; EMIT: call i32 @kd.checkpoint.distance(
; EMIT-LABEL: define internal void @kdiff.grad.dear(
; EMIT: @kd.tape.push
define ptx_kernel void @cheap(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  %sine = call float @llvm.sin.f32(float %s)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

; CHECK: loop %loop, checkpoint every 8 iterations, unrolled{{$}}
; CHECK-NEXT: record of %loop: 16 bytes
define ptx_kernel void @dear(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %v = load double, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi double [ %v, %entry ], [ %r.next, %loop ]
  %r = phi double [ %v, %entry ], [ %s.next, %loop ]
  %sine = call double @llvm.sin.f64(double %s)
  %cosine = call double @llvm.cos.f64(double %r)
  %power = call double @llvm.exp.f64(double %sine)
  %log = call double @llvm.exp2.f64(double %cosine)
  %s.next = fadd double %power, %cosine
  %r.next = fadd double %log, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store double %s.next, ptr %y
  ret void
}

; CHECK: loop %inner, checkpoint every 8 iterations, unrolled{{$}}
define ptx_kernel void @nested(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  br label %outer
outer:
  %k = phi i32 [ 0, %entry ], [ %k.next, %latch ]
  %p = getelementptr float, ptr %x, i32 %k
  %v = load float, ptr %p
  br label %inner
inner:
  %i = phi i32 [ 0, %outer ], [ %i.next, %inner ]
  %s = phi float [ %v, %outer ], [ %s.next, %inner ]
  %sine = call float @llvm.sin.f32(float %s)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %inner, label %latch
latch:
  %q = getelementptr float, ptr %y, i32 %k
  store float %s.next, ptr %q
  %k.next = add nsw i32 %k, 1
  %again = icmp slt i32 %k.next, %n
  br i1 %again, label %outer, label %done
done:
  ret void
}

; CHECK: loop %loop, checkpoint every 4 iterations, unrolled{{$}}
; CHECK-NEXT: record of %loop: 64 bytes
define ptx_kernel void @wide(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %v = load <8 x double>, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi <8 x double> [ %v, %entry ], [ %s.next, %loop ]
  %s.next = fmul <8 x double> %s, %s
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store <8 x double> %s.next, ptr %y
  ret void
}
declare float @llvm.sin.f32(float)
declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)
declare double @llvm.exp.f64(double)
declare double @llvm.exp2.f64(double)

; Two calls an iteration: to look for a snapshot costs little beside them.
; CHECK: loop %loop, checkpoint every 8 iterations, unrolled, 128 snapshots, trip count known{{$}}
define ptx_kernel void @longer(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %v = load float, ptr %x
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %s = phi float [ %v, %entry ], [ %s.next, %loop ]
  %sine = call float @llvm.sin.f32(float %s)
  %cosine = call float @llvm.cos.f32(float %s)
  %s.next = fadd float %cosine, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}
declare float @llvm.cos.f32(float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @cheap, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  call void (...) @__kd_autodiff(ptr @dear, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  call void (...) @__kd_autodiff(ptr @nested, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  call void (...) @__kd_autodiff(ptr @wide, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  call void (...) @__kd_autodiff(ptr @longer, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 7)
  ret void
}
