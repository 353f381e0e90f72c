; The two sides of a branch are told apart by its condition, more of them by
; selects on the conditions between, where those can be computed ahead.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=IR

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: prepared @sides.kdiff
; CHECK-NEXT: join %done: i1 %c of %no %yes
; CHECK-NOT: not canonical
define ptx_kernel void @sides(ptr %x, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  store float 1.0, ptr %x
  br label %done
no:
  store float 2.0, ptr %x
  br label %done
done:
  ret void
}

; CHECK-LABEL: prepared @many.kdiff
; CHECK: join %done: i8 [[RAN:%.*]] of
; CHECK-NOT: not canonical
; IR-LABEL: define internal void @many.kdiff(
; IR: select i1 {{.*}}, i8 {{.*}}, i8
; IR: done:
; IR-NEXT: ret void
define ptx_kernel void @many(ptr %x, i32 %k) {
  switch i32 %k, label %done [ i32 0, label %a
                               i32 1, label %b
                               i32 7, label %c ]
a:
  store float 1.0, ptr %x
  br label %done
b:
  store float 2.0, ptr %x
  br label %done
c:
  store float 3.0, ptr %x
  br label %done
done:
  ret void
}

; What a memory read decides cannot be computed ahead: the join remembers.
; CHECK-LABEL: prepared @reads.kdiff
; CHECK-NEXT: join %done: i8 %ran of
; CHECK-NOT: not canonical
; IR-LABEL: define internal void @reads.kdiff(
; IR: done:
; IR-NEXT: %ran = phi i8
define ptx_kernel void @reads(ptr %x, i1 %c) {
  br i1 %c, label %yes, label %no
yes:
  %v = load float, ptr %x
  %pos = fcmp ogt float %v, 0.0
  br i1 %pos, label %a, label %b
a:
  store float 1.0, ptr %x
  br label %done
b:
  store float 2.0, ptr %x
  br label %done
no:
  store float 3.0, ptr %x
  br label %done
done:
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @sides, ptr %x, ptr %dx, i1 true)
  call void (...) @__kd_autodiff(ptr @many, ptr %x, ptr %dx, i32 1)
  call void (...) @__kd_autodiff(ptr @reads, ptr %x, ptr %dx, i1 true)
  ret void
}
