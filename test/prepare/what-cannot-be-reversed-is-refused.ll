; What no later stage could reverse is an error that names the construct and
; says what to do.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/computed-goto.ll 2>&1 | FileCheck %t/computed-goto.ll
; RUN: not %opt -passes=kdiff -disable-output %t/exceptions.ll 2>&1 | FileCheck %t/exceptions.ll
; RUN: not %opt -passes=kdiff -disable-output %t/asm-goto.ll 2>&1 | FileCheck %t/asm-goto.ll
; RUN: not %opt -passes=kdiff -disable-output %t/varargs.ll 2>&1 | FileCheck %t/varargs.ll
; RUN: not %opt -passes=kdiff -disable-output %t/vla.ll 2>&1 | FileCheck %t/vla.ll
; RUN: not %opt -passes=kdiff -disable-output %t/setjmp.ll 2>&1 | FileCheck %t/setjmp.ll
; RUN: not %opt -passes=kdiff -disable-output %t/never-returns.ll 2>&1 | FileCheck %t/never-returns.ll

;--- computed-goto.ll
; CHECK: error: {{.*}}a computed goto: use a switch
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, i32 %k) {
  %p = getelementptr [2 x ptr], ptr @targets, i32 0, i32 %k
  %t = load ptr, ptr %p
  indirectbr ptr %t, [label %a, label %b]
a:
  store float 1.0, ptr %x
  ret void
b:
  store float 2.0, ptr %x
  ret void
}
@targets = internal constant [2 x ptr] [ptr blockaddress(@f, %a), ptr blockaddress(@f, %b)]
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", i32 1)
  ret void
}

;--- exceptions.ll
; CHECK: error: {{.*}}exception handling: compile with -fno-exceptions
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, i32 %k) personality ptr @personality {
  invoke void @mayThrow() to label %go unwind label %caught
go:
  store float 1.0, ptr %x
  ret void
caught:
  %e = landingpad { ptr, i32 } cleanup
  resume { ptr, i32 } %e
}
define internal void @mayThrow() personality ptr @personality {
  resume { ptr, i32 } zeroinitializer
}
declare i32 @personality(...)
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", i32 1)
  ret void
}

;--- asm-goto.ll
; CHECK: error: {{.*}}asm goto: branch in C++
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, i32 %k) {
  callbr void asm sideeffect "", "!i"() to label %go [label %other]
go:
  store float 1.0, ptr %x
  ret void
other:
  store float 2.0, ptr %x
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", i32 1)
  ret void
}

;--- varargs.ll
; CHECK: error: {{.*}}variable arguments: pass the arguments one by one
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, i32 %k) {
  %v = call float (i32, ...) @sum(i32 %k, double 1.0)
  store float %v, ptr %x
  ret void
}
define float @sum(i32 %n, ...) {
  %list = alloca ptr
  call void @llvm.va_start.p0(ptr %list)
  %d = va_arg ptr %list, double
  %r = fptrunc double %d to float
  ret float %r
}
declare void @llvm.va_start.p0(ptr)
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", i32 1)
  ret void
}

;--- vla.ll
; CHECK: error: {{.*}}local memory of a size or number known at run time only: use an array of constant size
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, i32 %k) {
  %a = alloca float, i32 %k
  %p = getelementptr float, ptr %a, i32 %k
  store float 1.0, ptr %p
  %v = load float, ptr %a
  store float %v, ptr %x
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", i32 1)
  ret void
}

;--- setjmp.ll
; CHECK: error: {{.*}}setjmp/longjmp: leave by return or break instead
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, i32 %k) {
  %r = call i32 @setjmp(ptr %x)
  store float 1.0, ptr %x
  ret void
}
declare i32 @setjmp(ptr) returns_twice
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", i32 1)
  ret void
}

;--- never-returns.ll
; CHECK: error: {{.*}}a function that never returns: give it a path that returns
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, i32 %k) {
  br label %again
again:
  store volatile float 1.0, ptr %x
  br label %again
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_const", i32 1)
  ret void
}
