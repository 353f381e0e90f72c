; A condition of floating-point arithmetic is not kept where nothing that the
; forward sweep leaves depends on the side: the reverse sweep decides alone, and
; nothing is left of the loop in the forward sweep.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff,function(simplifycfg,adce,loop-mssa(loop-rotate),loop(loop-deletion))' -S %s | FileCheck %s --check-prefix=LOWER

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: recompute: %c = fcmp
; CHECK-NOT: tape:
; CHECK-NOT: record of

; LOWER-LABEL: define void @unwanted(
; LOWER-NOT: call float @llvm.sin
; LOWER: {{^}}rev.
define ptx_kernel void @f(ptr noalias readonly %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %join ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %b = fmul float %v, %v
  %c = fcmp ogt float %b, 2.0
  br i1 %c, label %one, label %two
one:
  %one.1 = call float @llvm.sin.f32(float %v)
  %one.2 = call float @llvm.sin.f32(float %one.1)
  %square = call float @llvm.sin.f32(float %one.2)
  br label %join
two:
  %two.1 = call float @llvm.cos.f32(float %v)
  %two.2 = call float @llvm.cos.f32(float %two.1)
  %double = call float @llvm.cos.f32(float %two.2)
  br label %join
join:
  %m = phi float [ %square, %one ], [ %double, %two ]
  %sine = call float @llvm.sin.f32(float %m)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

; The side's result is wanted.
; CHECK: tape: %c = fcmp
define ptx_kernel void @read(ptr noalias readonly %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %join ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %b = fmul float %v, %v
  %c = fcmp ogt float %b, 2.0
  br i1 %c, label %one, label %two
one:
  %one.1 = call float @llvm.sin.f32(float %v)
  %one.2 = call float @llvm.sin.f32(float %one.1)
  %square = call float @llvm.sin.f32(float %one.2)
  br label %join
two:
  %two.1 = call float @llvm.cos.f32(float %v)
  %two.2 = call float @llvm.cos.f32(float %two.1)
  %double = call float @llvm.cos.f32(float %two.2)
  br label %join
join:
  %m = phi float [ %square, %one ], [ %double, %two ]
  %sine = call float @llvm.sin.f32(float %m)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  %m.last = phi float [ %m, %join ]
  store float %s.next, ptr %y
  store float %m.last, ptr %z
  ret void
}

; What is carried from side to side is needed, and comes from the forward sweep.
; CHECK: tape: %c = fcmp
define ptx_kernel void @carried(ptr noalias readonly %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %join ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %b = fmul float %v, %v
  %c = fcmp ogt float %b, 2.0
  br i1 %c, label %one, label %two
one:
  %one.1 = call float @llvm.sin.f32(float %v)
  %one.2 = call float @llvm.sin.f32(float %one.1)
  %square = call float @llvm.sin.f32(float %one.2)
  br label %join
two:
  %two.1 = call float @llvm.cos.f32(float %v)
  %two.2 = call float @llvm.cos.f32(float %two.1)
  %double = call float @llvm.cos.f32(float %two.2)
  br label %join
join:
  %m = phi float [ %square, %one ], [ %double, %two ]
  %sine = call float @llvm.sin.f32(float %m)
  %s.next = fmul float %s, %sine
  %i.next = add nsw i32 %i, 1
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

; The loop's end depends on it.
; CHECK: tape: %c = fcmp
define ptx_kernel void @decides(ptr noalias readonly %x, ptr noalias %y, ptr %z, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %join ]
  %s = phi float [ 0.0, %entry ], [ %s.next, %join ]
  %p = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %p
  %b = fmul float %v, %v
  %c = fcmp ogt float %b, 2.0
  br i1 %c, label %one, label %two
one:
  %one.1 = call float @llvm.sin.f32(float %v)
  %one.2 = call float @llvm.sin.f32(float %one.1)
  %square = call float @llvm.sin.f32(float %one.2)
  br label %join
two:
  %two.1 = call float @llvm.cos.f32(float %v)
  %two.2 = call float @llvm.cos.f32(float %two.1)
  %double = call float @llvm.cos.f32(float %two.2)
  br label %join
join:
  %m = phi float [ %square, %one ], [ %double, %two ]
  %sine = call float @llvm.sin.f32(float %m)
  %s.next = fadd float %s, %sine
  %i.next = add nsw i32 %i, 1
  %less = icmp slt i32 %i.next, %n
  %small = fcmp olt float %sine, 0.5
  %more = and i1 %less, %small
  br i1 %more, label %loop, label %done
done:
  store float %s.next, ptr %y
  ret void
}

declare float @llvm.sin.f32(float)
declare float @llvm.cos.f32(float)

declare void @__kd_autodiff(...)
define void @unwanted(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seednoneed", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
define void @others(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @read, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seednoneed", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  call void (...) @__kd_autodiff(ptr @carried, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seednoneed", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  call void (...) @__kd_autodiff(ptr @decides, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seednoneed", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
