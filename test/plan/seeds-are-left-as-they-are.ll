; kd_seed: stores to different places, in a loop and on two ways, and atomic
; additions. The shadow is read and not zeroed. Memory that is never read is
; not what a load reads either: x is loaded again, not taped.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s --check-prefix=EMIT

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-NOT: tape:
; CHECK: reload: %v = load float
; CHECK-NOT: tape:
; CHECK: seed kept: store float %r, ptr
; CHECK-NEXT: seed kept: store float 1.0
; CHECK-NEXT: seed kept: store float 2.0
; CHECK-NEXT: seed kept: %{{.*}} = atomicrmw fadd
; CHECK-NOT: left out:
; EMIT-LABEL: define internal void @kdiff.grad.f(
; EMIT: {{^}}rev.
; EMIT-NOT: store {{.*}}, ptr addrspace(1) %d.y
; EMIT-NOT: store {{.*}}, ptr addrspace(1) %d.o
define ptx_kernel void @f(ptr %x, ptr %y, ptr %s, i32 %n, i32 %stride, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %i.next, %loop ]
  %at = sext i32 %i to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  %r = fmul float %v, %v
  %o = getelementptr inbounds float, ptr %y, i64 %at
  store float %r, ptr %o
  %i.next = add nsw i32 %i, %stride
  %more = icmp slt i32 %i.next, %n
  br i1 %more, label %loop, label %done
done:
  br i1 %c, label %one, label %two
one:
  store float 1.0, ptr %s
  br label %end
two:
  store float 2.0, ptr %s
  br label %end
end:
  %next = getelementptr float, ptr %s, i64 1
  %w = load float, ptr %x
  %old = atomicrmw fadd ptr %next, float %w monotonic
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %s, ptr %ds, i1 %c) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seed", ptr %y, ptr %dy, metadata !"kd_seed", ptr %s, ptr %ds, i32 7, i32 1, i1 %c)
  ret void
}
