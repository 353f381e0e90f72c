; A loop around a compare-and-swap that adds to what it saw is an atomic addition;
; one that takes the larger or smaller number is an atomic maximum or minimum. In
; single precision in global memory, where the instruction for additions flushes
; subnormal numbers, the loop will be made again. Any other loop stays.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @f.kdiff(
; CHECK-NOT: cmpxchg
; CHECK: atomicrmw fadd ptr {{.*}}, double %{{.*}} monotonic
; CHECK-NOT: cmpxchg
; CHECK: atomicrmw fsub ptr addrspace(3) @sum, float %{{.*}} monotonic
; CHECK-NOT: cmpxchg
; CHECK: atomicrmw fadd ptr {{.*}}, float %{{.*}} monotonic, {{.*}}!kdiff.loop
; CHECK: ret void
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
entry:
  %v = load double, ptr %x
  br label %add
add:
  %seen = phi i64 [ 0, %entry ], [ %old, %add ]
  %number = bitcast i64 %seen to double
  %sum = fadd double %v, %number
  %bits = bitcast double %sum to i64
  %found = cmpxchg ptr %y, i64 %seen, i64 %bits monotonic monotonic
  %old = extractvalue { i64, i1 } %found, 0
  %again = icmp ne i64 %old, %seen
  br i1 %again, label %add, label %next
next:
  %w = fptrunc double %v to float
  br label %subtract
subtract:
  %seen2 = phi i32 [ 0, %next ], [ %old2, %subtract ]
  %number2 = bitcast i32 %seen2 to float
  %sum2 = fsub float %number2, %w
  %bits2 = bitcast float %sum2 to i32
  %found2 = cmpxchg ptr addrspace(3) @sum, i32 %seen2, i32 %bits2 monotonic monotonic
  %old2 = extractvalue { i32, i1 } %found2, 0
  %done2 = extractvalue { i32, i1 } %found2, 1
  br i1 %done2, label %global, label %subtract
global:
  %seen3 = phi i32 [ 0, %subtract ], [ %old3, %global ]
  %number3 = bitcast i32 %seen3 to float
  %sum3 = fadd float %number3, %w
  %bits3 = bitcast float %sum3 to i32
  %found3 = cmpxchg ptr %z, i32 %seen3, i32 %bits3 monotonic monotonic
  %old3 = extractvalue { i32, i1 } %found3, 0
  %done3 = icmp eq i32 %old3, %seen3
  br i1 %done3, label %done, label %global
done:
  ret void
}
@sum = internal addrspace(3) global float undef

; CHECK-LABEL: define internal void @extremes.kdiff(
; CHECK-NOT: @__nv_fmax
; CHECK: atomicrmw fmax ptr {{.*}}, double %v monotonic
; CHECK: atomicrmw fmin ptr {{.*}}, float %{{.*}} monotonic
; CHECK: call double @__nv_fmax(
; CHECK: cmpxchg
; CHECK: ret void
define ptx_kernel void @extremes(ptr %x, ptr %y, ptr %z) {
entry:
  %v = load double, ptr %x
  br label %raise
raise:
  %seen = phi i64 [ 0, %entry ], [ %old, %raise ]
  %number = bitcast i64 %seen to double
  %most = call double @__nv_fmax(double %v, double %number)
  %bits = bitcast double %most to i64
  %found = cmpxchg ptr %y, i64 %seen, i64 %bits monotonic monotonic
  %old = extractvalue { i64, i1 } %found, 0
  %again = icmp ne i64 %old, %seen
  br i1 %again, label %raise, label %next
next:
  %w = fptrunc double %v to float
  br label %lower
lower:
  %seen2 = phi i32 [ 0, %next ], [ %old2, %lower ]
  %number2 = bitcast i32 %seen2 to float
  %least = call float @llvm.minnum.f32(float %number2, float %w)
  %bits2 = bitcast float %least to i32
  %found2 = cmpxchg ptr %z, i32 %seen2, i32 %bits2 monotonic monotonic
  %old2 = extractvalue { i32, i1 } %found2, 0
  %done2 = extractvalue { i32, i1 } %found2, 1
  br i1 %done2, label %other, label %lower
other: ; The maximum of two other numbers is no update.
  %seen3 = phi i64 [ 0, %lower ], [ %old3, %other ]
  %more = call double @__nv_fmax(double %v, double 1.0)
  %bits3 = bitcast double %more to i64
  %found3 = cmpxchg ptr %y, i64 %seen3, i64 %bits3 monotonic monotonic
  %old3 = extractvalue { i64, i1 } %found3, 0
  %done3 = icmp eq i64 %old3, %seen3
  br i1 %done3, label %done, label %other
done:
  ret void
}
declare double @__nv_fmax(double, double)
declare float @llvm.minnum.f32(float, float)

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  call void (...) @__kd_autodiff(ptr @extremes, metadata !"kd_const", ptr %x, metadata !"kd_const", ptr %y, metadata !"kd_const", ptr %z)
  ret void
}
