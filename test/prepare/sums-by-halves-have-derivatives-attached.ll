; A sum that a block makes in shared memory by halves has the derivative of a sum:
; what is stored has none, and what is read has that of all threads' parts,
; unless anything else happens to the array.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=PLAN
; RUN: %opt -passes=kdiff -pass-remarks-analysis=kdiff -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@words = internal addrspace(3) global [256 x float] undef

; No addition goes to shared memory.
; PLAN: contended addition: %v = load float
; PLAN-NOT: {{addition: %[ab]}}
; PLAN: contended addition: %v = load float
; PLAN-NOT: {{addition: %[ab]}}
; PLAN: contended addition: %v = load float

; REMARK: the derivative of this sum over the block goes from the thread that reads it to all threads at once, not by these steps
; REMARK: the derivative of this sum over the block goes from those that read it to all threads at once, not by these steps
; REMARK-NOT: the derivative of this sum

; CHECK-LABEL: define internal void @alone.kdiff(
; CHECK: %[[PLAIN:.*]] = call float @kd.attach.f32.f32(float %v, float %v, float 0.0{{.*}})
; CHECK: store float %[[PLAIN]], ptr addrspace(3) %own
; CHECK: %[[HOLDS:.*]] = icmp ult i32 %t, 256
; CHECK: %[[PART:.*]] = select i1 %[[HOLDS]], float %v, float 0.0
; CHECK: %[[SUM:.*]] = call float @kd.block.sum.f32(float %[[PART]], i1 %{{.*}})
; CHECK: %r = load float
; CHECK: %[[R:.*]] = call float @kd.attach.f32.f32(float %r, float %[[SUM]], float 1.0{{.*}})
; CHECK: fmul float %[[R]], %[[R]]
define ptx_kernel void @alone(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %is.within = icmp ult i32 %t, %n
  %is.many = icmp ugt i32 %n, 7
  %own = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %t
  %v = load float, ptr %px
  store float %v, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %loop
loop:
  %d = phi i32 [ 128, %entry ], [ %d.next, %wait ]
  %more = icmp sgt i32 %d, 0
  br i1 %more, label %body, label %behind
body:
  %is.lower = icmp ult i32 %t, %d
  br i1 %is.lower, label %step, label %wait
step:
  %u = add i32 %t, %d
  %other = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %u
  %a = load float, ptr addrspace(3) %own
  %b = load float, ptr addrspace(3) %other
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %own
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d.next = lshr i32 %d, 1
  br label %loop
behind:
  %is.first = icmp eq i32 %t, 0
  br i1 %is.first, label %read, label %done
read:
  %r = load float, ptr addrspace(3) @words
  %square = fmul float %r, %r
  %py = getelementptr float, ptr %y, i32 0
  store float %square, ptr %py
  br label %done
done:
  ret void
}

; Any number of threads; each waits in front of its step.
; CHECK-LABEL: define internal void @everybody.kdiff(
; CHECK: %[[HOLDS:.*]] = call i1 @kd.tree.holds(i32 %t, i32 %half)
; CHECK: %[[PART:.*]] = select i1 %[[HOLDS]], float %v, float 0.0
; CHECK: call float @kd.block.sum.f32(float %[[PART]], i1 true)
define ptx_kernel void @everybody(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %half = lshr i32 %threads, 1
  %is.within = icmp ult i32 %t, %n
  %is.many = icmp ugt i32 %n, 7
  %own = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %t
  %v = load float, ptr %px
  store float %v, ptr addrspace(3) %own
  br label %loop
loop:
  %d = phi i32 [ %half, %entry ], [ %d.next, %wait ]
  %more = icmp ne i32 %d, 0
  br i1 %more, label %body, label %behind
body:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %is.lower = icmp ult i32 %t, %d
  br i1 %is.lower, label %step, label %wait
step:
  %u = add i32 %t, %d
  %other = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %u
  %a = load float, ptr addrspace(3) %own
  %b = load float, ptr addrspace(3) %other
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %own
  br label %wait
wait:
  %d.next = lshr i32 %d, 1
  br label %loop
behind:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %read
read:
  %r = load float, ptr addrspace(3) @words
  %square = fmul float %r, %r
  %py = getelementptr float, ptr %y, i32 %t
  store float %square, ptr %py
  br label %done
done:
  ret void
}

; Another word is read: it holds a part of the sum.
; CHECK-LABEL: define internal void @reads_other.kdiff(
; CHECK-NOT: @kd.block.sum
; CHECK: ret void
define ptx_kernel void @reads_other(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %is.within = icmp ult i32 %t, %n
  %is.many = icmp ugt i32 %n, 7
  %own = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %t
  %v = load float, ptr %px
  store float %v, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %loop
loop:
  %d = phi i32 [ 128, %entry ], [ %d.next, %wait ]
  %more = icmp sgt i32 %d, 0
  br i1 %more, label %body, label %behind
body:
  %is.lower = icmp ult i32 %t, %d
  br i1 %is.lower, label %step, label %wait
step:
  %u = add i32 %t, %d
  %other = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %u
  %a = load float, ptr addrspace(3) %own
  %b = load float, ptr addrspace(3) %other
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %own
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d.next = lshr i32 %d, 1
  br label %loop
behind:
  %is.first = icmp eq i32 %t, 0
  br i1 %is.first, label %read, label %done
read:
  %r = load float, ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @words, i64 4)
  %square = fmul float %r, %r
  %py = getelementptr float, ptr %y, i32 0
  store float %square, ptr %py
  br label %done
done:
  ret void
}

; The word that is read is stored to behind the sum.
; CHECK-LABEL: define internal void @stores_behind.kdiff(
; CHECK-NOT: @kd.block.sum
; CHECK: ret void
define ptx_kernel void @stores_behind(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %is.within = icmp ult i32 %t, %n
  %is.many = icmp ugt i32 %n, 7
  %own = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %t
  %v = load float, ptr %px
  store float %v, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %loop
loop:
  %d = phi i32 [ 128, %entry ], [ %d.next, %wait ]
  %more = icmp sgt i32 %d, 0
  br i1 %more, label %body, label %behind
body:
  %is.lower = icmp ult i32 %t, %d
  br i1 %is.lower, label %step, label %wait
step:
  %u = add i32 %t, %d
  %other = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %u
  %a = load float, ptr addrspace(3) %own
  %b = load float, ptr addrspace(3) %other
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %own
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d.next = lshr i32 %d, 1
  br label %loop
behind:
  store float %v, ptr addrspace(3) %own
  %is.first = icmp eq i32 %t, 0
  br i1 %is.first, label %read, label %done
read:
  %r = load float, ptr addrspace(3) @words
  %square = fmul float %r, %r
  %py = getelementptr float, ptr %y, i32 0
  store float %square, ptr %py
  br label %done
done:
  ret void
}

; The sum of two words is left.
; CHECK-LABEL: define internal void @ends_early.kdiff(
; CHECK-NOT: @kd.block.sum
; CHECK: ret void
define ptx_kernel void @ends_early(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %is.within = icmp ult i32 %t, %n
  %is.many = icmp ugt i32 %n, 7
  %own = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %t
  %v = load float, ptr %px
  store float %v, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %loop
loop:
  %d = phi i32 [ 128, %entry ], [ %d.next, %wait ]
  %more = icmp sgt i32 %d, 1
  br i1 %more, label %body, label %behind
body:
  %is.lower = icmp ult i32 %t, %d
  br i1 %is.lower, label %step, label %wait
step:
  %u = add i32 %t, %d
  %other = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %u
  %a = load float, ptr addrspace(3) %own
  %b = load float, ptr addrspace(3) %other
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %own
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d.next = lshr i32 %d, 1
  br label %loop
behind:
  %is.first = icmp eq i32 %t, 0
  br i1 %is.first, label %read, label %done
read:
  %r = load float, ptr addrspace(3) @words
  %square = fmul float %r, %r
  %py = getelementptr float, ptr %y, i32 0
  store float %square, ptr %py
  br label %done
done:
  ret void
}

; Some blocks go by the sum.
; CHECK-LABEL: define internal void @goes_by.kdiff(
; CHECK-NOT: @kd.block.sum
; CHECK: ret void
define ptx_kernel void @goes_by(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %is.within = icmp ult i32 %t, %n
  %is.many = icmp ugt i32 %n, 7
  %own = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %t
  %v = load float, ptr %px
  store float %v, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br i1 %is.many, label %before, label %behind
before:
  br label %loop
loop:
  %d = phi i32 [ 128, %before ], [ %d.next, %wait ]
  %more = icmp sgt i32 %d, 0
  br i1 %more, label %body, label %behind
body:
  %is.lower = icmp ult i32 %t, %d
  br i1 %is.lower, label %step, label %wait
step:
  %u = add i32 %t, %d
  %other = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %u
  %a = load float, ptr addrspace(3) %own
  %b = load float, ptr addrspace(3) %other
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %own
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d.next = lshr i32 %d, 1
  br label %loop
behind:
  %is.first = icmp eq i32 %t, 0
  br i1 %is.first, label %read, label %done
read:
  %r = load float, ptr addrspace(3) @words
  %square = fmul float %r, %r
  %py = getelementptr float, ptr %y, i32 0
  store float %square, ptr %py
  br label %done
done:
  ret void
}

; Some threads do not come to the sum.
; CHECK-LABEL: define internal void @returns_early.kdiff(
; CHECK-NOT: @kd.block.sum
; CHECK: ret void
define ptx_kernel void @returns_early(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %is.within = icmp ult i32 %t, %n
  %is.many = icmp ugt i32 %n, 7
  %own = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %t
  %v = load float, ptr %px
  br i1 %is.within, label %feed, label %done
feed:
  store float %v, ptr addrspace(3) %own
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %loop
loop:
  %d = phi i32 [ 128, %feed ], [ %d.next, %wait ]
  %more = icmp sgt i32 %d, 0
  br i1 %more, label %body, label %behind
body:
  %is.lower = icmp ult i32 %t, %d
  br i1 %is.lower, label %step, label %wait
step:
  %u = add i32 %t, %d
  %other = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %u
  %a = load float, ptr addrspace(3) %own
  %b = load float, ptr addrspace(3) %other
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %own
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d.next = lshr i32 %d, 1
  br label %loop
behind:
  %is.first = icmp eq i32 %t, 0
  br i1 %is.first, label %read, label %done
read:
  %r = load float, ptr addrspace(3) @words
  %square = fmul float %r, %r
  %py = getelementptr float, ptr %y, i32 0
  store float %square, ptr %py
  br label %done
done:
  ret void
}

; Some threads store nothing.
; CHECK-LABEL: define internal void @feeds_some.kdiff(
; CHECK-NOT: @kd.block.sum
; CHECK: ret void
define ptx_kernel void @feeds_some(ptr noalias %x, ptr noalias %y, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %px = getelementptr float, ptr %x, i32 %t
  %is.within = icmp ult i32 %t, %n
  %is.many = icmp ugt i32 %n, 7
  %own = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %t
  %v = load float, ptr %px
  br i1 %is.within, label %feed, label %fed
feed:
  store float %v, ptr addrspace(3) %own
  br label %fed
fed:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %loop
loop:
  %d = phi i32 [ 128, %fed ], [ %d.next, %wait ]
  %more = icmp sgt i32 %d, 0
  br i1 %more, label %body, label %behind
body:
  %is.lower = icmp ult i32 %t, %d
  br i1 %is.lower, label %step, label %wait
step:
  %u = add i32 %t, %d
  %other = getelementptr [256 x float], ptr addrspace(3) @words, i32 0, i32 %u
  %a = load float, ptr addrspace(3) %own
  %b = load float, ptr addrspace(3) %other
  %c = fadd float %a, %b
  store float %c, ptr addrspace(3) %own
  br label %wait
wait:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %d.next = lshr i32 %d, 1
  br label %loop
behind:
  %is.first = icmp eq i32 %t, 0
  br i1 %is.first, label %read, label %done
read:
  %r = load float, ptr addrspace(3) @words
  %square = fmul float %r, %r
  %py = getelementptr float, ptr %y, i32 0
  store float %square, ptr %py
  br label %done
done:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, i32 %n) {
  call void (...) @__kd_autodiff(ptr @alone, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @everybody, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @reads_other, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @stores_behind, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @ends_early, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @goes_by, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @returns_early, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  call void (...) @__kd_autodiff(ptr @feeds_some, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, i32 %n)
  ret void
}
