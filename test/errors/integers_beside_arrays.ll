; An integer behind an array of numbers in one structure: an index stays within an
; array of a known length, as C++ demands. Where the length is not known (one element
; may be the first of many), the integer may be a part of a number.
; RUN: split-file %s %t
; RUN: %opt -passes=kdiff -S %t/known.ll | FileCheck %t/known.ll
; RUN: not %opt -passes=kdiff -disable-output %t/open.ll 2>&1 | FileCheck %t/open.ll
; RUN: not %opt -passes=kdiff -disable-output %t/outer.ll 2>&1 | FileCheck %t/outer.ll

;--- known.ll
; CHECK: @request(
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
%cell = type { [3 x double], i32, i32, double }
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %c = alloca %cell
  %v = load double, ptr %x
  %px = getelementptr i8, ptr %x, i64 24
  %i = load i32, ptr %px
  %pi = getelementptr i8, ptr %c, i64 24
  store i32 %i, ptr %pi
  %pa = getelementptr inbounds [3 x double], ptr %c, i64 0, i32 %n
  store double %v, ptr %pa
  %j = load i32, ptr %pi
  %pb = getelementptr inbounds [3 x double], ptr %c, i64 0, i32 %j
  %w = load double, ptr %pb
  store double %w, ptr %y
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}

;--- open.ll
; CHECK: error: {{.*}}cannot differentiate an access as i32 to memory that is accessed as double elsewhere
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %c = alloca [40 x i8], align 8
  %v = load double, ptr %x
  %px = getelementptr i8, ptr %x, i64 24
  %i = load i32, ptr %px
  %pi = getelementptr i8, ptr %c, i64 24
  store i32 %i, ptr %pi
  %pa = getelementptr inbounds [1 x double], ptr %c, i64 0, i32 %n
  store double %v, ptr %pa
  %j = load i32, ptr %pi
  %pb = getelementptr inbounds [1 x double], ptr %c, i64 0, i32 %j
  %w = load double, ptr %pb
  store double %w, ptr %y
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}

;--- outer.ll
; An array of such arrays: the outer index leads anywhere.
; CHECK: error: {{.*}}cannot differentiate an access as i32 to memory that is accessed as double elsewhere
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  %c = alloca [40 x i8], align 8
  %v = load double, ptr %x
  %px = getelementptr i8, ptr %x, i64 24
  %i = load i32, ptr %px
  %pi = getelementptr i8, ptr %c, i64 24
  store i32 %i, ptr %pi
  %m = mul i32 %n, %n
  %pa = getelementptr inbounds [3 x double], ptr %c, i32 %m, i32 %n
  store double %v, ptr %pa
  %j = load i32, ptr %pi
  %pb = getelementptr inbounds [3 x double], ptr %c, i64 0, i32 %j
  %w = load double, ptr %pb
  store double %w, ptr %y
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
