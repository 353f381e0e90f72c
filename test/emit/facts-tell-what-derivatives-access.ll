; kd_facts, &variable: which of the primal's memory a derivative reads (1) and
; writes (2), whether it does so elsewhere (1, 2), might do otherwise another
; time (4), or needs a tape (8), and how many bytes of it.
; RUN: %opt -passes=kdiff %s -S | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

%facts = type { i32, i32, i64, [64 x i8] }
@kd_dup = external addrspace(1) global i32
@kd_dupnoneed = external addrspace(1) global i32
@kd_const = external addrspace(1) global i32
@kd_facts = external addrspace(1) global i32
@kd_tape = external addrspace(1) global i32
@kd_width = external addrspace(1) global i32
@elsewhere = addrspace(1) global double 0.0
declare void @__kd_autodiff(ptr, ...)
declare void @__kd_augment(ptr, ...)

; x is read: its adjoint is 2 x. y is written, and read by nobody.
; CHECK-DAG: @product = addrspace(1) global %facts { i32 1, i32 0, i64 0, [64 x i8] c"\01\00\00
; CHECK-DAG: @augmented = addrspace(1) global %facts { i32 1, i32 8, i64 8, [64 x i8] c"\01\02\00
@product = addrspace(1) global %facts zeroinitializer
@augmented = addrspace(1) global %facts zeroinitializer
; Facts are about arguments, however many shadows follow them.
; CHECK-DAG: @lanes = addrspace(1) global %facts { i32 1, i32 0, i64 0, [64 x i8] c"\01\02\00
@lanes = addrspace(1) global %facts zeroinitializer
define void @square(ptr noalias %x, ptr noalias %y) {
  %v = load double, ptr %x
  %m = fmul double %v, %v
  store double %m, ptr %y
  ret void
}

; The adjoint of a sum reads nothing of the primal's.
; CHECK-DAG: @sum = addrspace(1) global %facts { i32 1, i32 0, i64 0, [64 x i8] zeroinitializer }
@sum = addrspace(1) global %facts zeroinitializer
define void @add(ptr noalias %x, ptr noalias %y) {
  %v = load double, ptr %x
  %w = load double, ptr %y
  %s = fadd double %v, %w
  store double %s, ptr %y
  ret void
}

; A device variable, a slot from a counter.
; CHECK-DAG: @variable = addrspace(1) global %facts { i32 1, i32 1, i64 0,
; Who comes last, or first, leaves what it has.
; CHECK-DAG: @exchanged = addrspace(1) global %facts { i32 1, i32 4, i64 0, [64 x i8] c"\01\02\03\00
; CHECK-DAG: @swapped = addrspace(1) global %facts { i32 1, i32 4, i64 0, [64 x i8] c"\01\02\03\00
; CHECK-DAG: @counted = addrspace(1) global %facts { i32 1, i32 0, i64 0, [64 x i8] c"\01\02\03\00
; CHECK-DAG: @slots = addrspace(1) global %facts { i32 1, i32 4, i64 0, [64 x i8] c"\01\02\03\00
@exchanged = addrspace(1) global %facts zeroinitializer
@swapped = addrspace(1) global %facts zeroinitializer
@counted = addrspace(1) global %facts zeroinitializer
@variable = addrspace(1) global %facts zeroinitializer
@slots = addrspace(1) global %facts zeroinitializer
define void @global(ptr noalias %x, ptr noalias %y) {
  %v = load double, ptr %x
  %w = load double, ptr addrspace(1) @elsewhere
  %m = fmul double %v, %w
  store double %m, ptr %y
  ret void
}
define void @exchange(ptr noalias %x, ptr noalias %y, ptr noalias %next) {
  %v = load double, ptr %x
  %s = atomicrmw xchg ptr %next, i32 1 monotonic
  %m = fmul double %v, %v
  store double %m, ptr %y
  ret void
}
define void @swap(ptr noalias %x, ptr noalias %y, ptr noalias %next) {
  %v = load double, ptr %x
  %s = cmpxchg ptr %next, i32 0, i32 1 monotonic monotonic
  %m = fmul double %v, %v
  store double %m, ptr %y
  ret void
}
define void @count(ptr noalias %x, ptr noalias %y, ptr noalias %next) {
  %v = load double, ptr %x
  %s = atomicrmw add ptr %next, i32 1 monotonic
  %m = fmul double %v, %v
  store double %m, ptr %y
  ret void
}
define void @slot(ptr noalias %x, ptr noalias %y, ptr noalias %next) {
  %v = load double, ptr %x
  %s = atomicrmw add ptr %next, i32 1 monotonic
  %p = getelementptr double, ptr %y, i32 %s
  %m = fmul double %v, %v
  store double %m, ptr %p
  ret void
}

; A sum that many threads add to is only another one if it is read back.
; CHECK-DAG: @added = addrspace(1) global %facts { i32 1, i32 0, i64 0, [64 x i8] c"\01\03\00
; CHECK-DAG: @readback = addrspace(1) global %facts { i32 1, i32 4, i64 0, [64 x i8] c"\01\03\02\00
@added = addrspace(1) global %facts zeroinitializer
@readback = addrspace(1) global %facts zeroinitializer
define void @gather(ptr noalias %x, ptr noalias %y) {
  %v = load double, ptr %x
  %m = fmul double %v, %v
  %old = atomicrmw fadd ptr %y, double %m monotonic
  ret void
}
define void @gatherAndRead(ptr noalias %x, ptr noalias %y, ptr noalias %z) {
  %v = load double, ptr %x
  %m = fmul double %v, %v
  %old = atomicrmw fadd ptr %y, double %m monotonic
  %w = load double, ptr %y
  store double %w, ptr %z
  ret void
}

define ptx_kernel void @k(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %n, ptr %pool) {
  call void (ptr, ...) @__kd_autodiff(ptr @square, ptr addrspacecast (ptr addrspace(1) @kd_tape to ptr), ptr %pool, ptr addrspacecast (ptr addrspace(1) @kd_facts to ptr), ptr addrspacecast (ptr addrspace(1) @product to ptr), ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, ptr addrspacecast (ptr addrspace(1) @kd_dupnoneed to ptr), ptr %y, ptr %dy)
  call void (ptr, ...) @__kd_autodiff(ptr @square, ptr addrspacecast (ptr addrspace(1) @kd_width to ptr), i32 2, ptr addrspacecast (ptr addrspace(1) @kd_facts to ptr), ptr addrspacecast (ptr addrspace(1) @lanes to ptr), ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, ptr %n, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %y, ptr %dy, ptr %pool)
  call void (ptr, ...) @__kd_augment(ptr @square, ptr %pool, ptr addrspacecast (ptr addrspace(1) @kd_facts to ptr), ptr addrspacecast (ptr addrspace(1) @augmented to ptr), ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %y, ptr %dy)
  call void (ptr, ...) @__kd_autodiff(ptr @add, ptr addrspacecast (ptr addrspace(1) @kd_facts to ptr), ptr addrspacecast (ptr addrspace(1) @sum to ptr), ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, ptr addrspacecast (ptr addrspace(1) @kd_dupnoneed to ptr), ptr %y, ptr %dy)
  call void (ptr, ...) @__kd_autodiff(ptr @global, ptr addrspacecast (ptr addrspace(1) @kd_facts to ptr), ptr addrspacecast (ptr addrspace(1) @variable to ptr), ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, ptr addrspacecast (ptr addrspace(1) @kd_dupnoneed to ptr), ptr %y, ptr %dy)
  call void (ptr, ...) @__kd_autodiff(ptr @slot, ptr addrspacecast (ptr addrspace(1) @kd_facts to ptr), ptr addrspacecast (ptr addrspace(1) @slots to ptr), ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %y, ptr %dy, ptr addrspacecast (ptr addrspace(1) @kd_const to ptr), ptr %n)
  call void (ptr, ...) @__kd_autodiff(ptr @exchange, ptr addrspacecast (ptr addrspace(1) @kd_facts to ptr), ptr addrspacecast (ptr addrspace(1) @exchanged to ptr), ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %y, ptr %dy, ptr addrspacecast (ptr addrspace(1) @kd_const to ptr), ptr %n)
  call void (ptr, ...) @__kd_autodiff(ptr @swap, ptr addrspacecast (ptr addrspace(1) @kd_facts to ptr), ptr addrspacecast (ptr addrspace(1) @swapped to ptr), ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %y, ptr %dy, ptr addrspacecast (ptr addrspace(1) @kd_const to ptr), ptr %n)
  call void (ptr, ...) @__kd_autodiff(ptr @count, ptr addrspacecast (ptr addrspace(1) @kd_facts to ptr), ptr addrspacecast (ptr addrspace(1) @counted to ptr), ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %y, ptr %dy, ptr addrspacecast (ptr addrspace(1) @kd_const to ptr), ptr %n)
  call void (ptr, ...) @__kd_autodiff(ptr @gather, ptr addrspacecast (ptr addrspace(1) @kd_facts to ptr), ptr addrspacecast (ptr addrspace(1) @added to ptr), ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %y, ptr %dy)
  call void (ptr, ...) @__kd_autodiff(ptr @gatherAndRead, ptr addrspacecast (ptr addrspace(1) @kd_facts to ptr), ptr addrspacecast (ptr addrspace(1) @readback to ptr), ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %y, ptr %dy, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %n, ptr %pool)
  ret void
}
