; A compare-and-swap on integers has no tangent.
; RUN: %opt -passes=kdiff -S %s | FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: define {{.*}}@request
; CHECK: cmpxchg
; CHECK-NOT: cmpxchg
define ptx_kernel void @f(ptr %x, ptr %y, ptr %lock) {
  %pair = cmpxchg ptr %lock, i32 0, i32 1 monotonic monotonic
  %won = extractvalue { i32, i1 } %pair, 1
  br i1 %won, label %first, label %done
first:
  %v = load float, ptr %x
  store float %v, ptr %y
  br label %done
done:
  ret void
}
declare void @__kd_fwddiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %lock) {
  call void (...) @__kd_fwddiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %lock)
  ret void
}
