; Once differentiated to a silent zero; refused now.
; RUN: not %opt -passes=kdiff -disable-output %s 2>&1 | FileCheck %s
; CHECK: cannot differentiate {{.*}}a pointer that comes from extractvalue
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @__kd_autodiff(...)
declare void @__kd_fwddiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 1)
  ret void
}
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  %c = icmp eq i32 %n, 5
  %a = insertvalue { ptr, i32 } poison, ptr %x, 0
  %a1 = insertvalue { ptr, i32 } %a, i32 0, 1
  br i1 %c, label %then, label %done
then:
  %x2 = getelementptr float, ptr %x, i32 5
  %b = insertvalue { ptr, i32 } poison, ptr %x2, 0
  %b1 = insertvalue { ptr, i32 } %b, i32 %n, 1
  br label %done
done:
  %s = phi { ptr, i32 } [ %a1, %entry ], [ %b1, %then ]
  %p = extractvalue { ptr, i32 } %s, 0
  %k = extractvalue { ptr, i32 } %s, 1
  %pk = getelementptr float, ptr %p, i32 %k
  %v = load float, ptr %pk
  %r = fmul float %v, %v
  store float %r, ptr %y
  ret void
}
