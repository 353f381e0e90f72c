; A function that stays a call: its numbers cross in registers, and its shadows
; are those of memory that the caller passes.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/vector_argument.ll 2>&1 | FileCheck %t/vector_argument.ll
; RUN: not %opt -passes=kdiff -disable-output %t/derived_argument.ll 2>&1 | FileCheck %t/derived_argument.ll
; RUN: not %opt -passes=kdiff -disable-output %t/vector_result.ll 2>&1 | FileCheck %t/vector_result.ll
; RUN: not %opt -passes=kdiff -disable-output %t/local_array.ll 2>&1 | FileCheck %t/local_array.ll
; RUN: not %opt -passes=kdiff -disable-output %t/may_lack_a_shadow.ll 2>&1 | FileCheck %t/may_lack_a_shadow.ll
; RUN: not %opt -passes=kdiff -disable-output %t/shared_memory.ll 2>&1 | FileCheck %t/shared_memory.ll
; RUN: not %opt -passes=kdiff -disable-output %t/local_pointers.ll 2>&1 | FileCheck %t/local_pointers.ll
; RUN: not %opt -passes=kdiff -disable-output %t/returned_pointer.ll 2>&1 | FileCheck %t/returned_pointer.ll

;--- vector_argument.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate recursion (a call of 'rec') with a differentiated argument that is no floating-point number: write a loop
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load <2 x float>, ptr %x
  %r = call float @rec(<2 x float> %v, i32 %n), !dbg !DILocation(line: 11, column: 1, scope: !3)
  store float %r, ptr %y
  ret void
}
define float @rec(<2 x float> %v, i32 %n) noinline {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %go
stop:
  ret float 0.0
go:
  %m = sub i32 %n, 1
  %r = call float @rec(<2 x float> %v, i32 %m)
  %e = extractelement <2 x float> %v, i32 0
  %s = fmul float %r, %e
  ret float %s
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- derived_argument.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate recursion (a call of 'rec') with a differentiated argument that is no floating-point number: write a loop
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %i = lshr i32 %b, 23
  %r = call float @rec(i32 %i, i32 %n), !dbg !DILocation(line: 12, column: 1, scope: !3)
  store float %r, ptr %y
  ret void
}
define float @rec(i32 %v, i32 %n) noinline {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %go
stop:
  ret float 0.0
go:
  %m = sub i32 %n, 1
  %r = call float @rec(i32 %v, i32 %m)
  %e = sitofp i32 %v to float
  %s = fmul float %r, %e
  ret float %s
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- vector_result.ll
; CHECK: error: k.cu:13:1: {{.*}}cannot differentiate recursion (a call of 'rec') with a differentiated result that is no floating-point number: write a loop
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %r = call <2 x float> @rec(float %v, i32 %n), !dbg !DILocation(line: 13, column: 1, scope: !3)
  store <2 x float> %r, ptr %y
  ret void
}
define <2 x float> @rec(float %v, i32 %n) noinline {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %go
stop:
  ret <2 x float> zeroinitializer
go:
  %m = sub i32 %n, 1
  %r = call <2 x float> @rec(float %v, i32 %m)
  %s = insertelement <2 x float> %r, float %v, i32 %m
  ret <2 x float> %s
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- local_array.ll
; CHECK: error: k.cu:14:1: {{.*}}cannot differentiate recursion (a call of 'rec') with the address of a local array of a recursive function: write a loop
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  call void @rec(ptr %x, i32 %n)
  ret void
}
define void @rec(ptr %p, i32 %n) noinline !dbg !3 {
  %own = alloca [4 x float]
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %go
stop:
  ret void
go:
  %v = load float, ptr %p
  %q = getelementptr float, ptr %own, i32 %n
  store float %v, ptr %q
  %m = sub i32 %n, 1
  call void @rec(ptr %own, i32 %m), !dbg !DILocation(line: 14, column: 1, scope: !3)
  %w = load float, ptr %own
  %sq = fmul float %w, %w
  store float %sq, ptr %p
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- may_lack_a_shadow.ll
; CHECK: error: k.cu:15:1: {{.*}}cannot differentiate recursion (a call of 'rec') with a pointer that may lack a shadow: write a loop
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %c = icmp eq i32 %n, 3
  %p = select i1 %c, ptr %x, ptr %z
  %r = call float @rec(ptr %p, i32 %n), !dbg !DILocation(line: 15, column: 1, scope: !3)
  store float %r, ptr %y
  ret void
}
define float @rec(ptr %p, i32 %n) noinline {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %go
stop:
  ret float 0.0
go:
  %m = sub i32 %n, 1
  %r = call float @rec(ptr %p, i32 %m)
  %e = load float, ptr %p
  %s = fmul float %r, %e
  ret float %s
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- shared_memory.ll
; CHECK: error: k.cu:16:1: {{.*}}cannot differentiate shared memory that a recursive function uses: pass its address as an argument
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  call void @rec(ptr %x, i32 %n)
  ret void
}
@tile = internal addrspace(3) global [32 x float] undef
define void @rec(ptr %p, i32 %n) noinline !dbg !3 {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %go
stop:
  ret void
go:
  %v = load float, ptr %p
  store float %v, ptr addrspace(3) @tile, !dbg !DILocation(line: 16, column: 1, scope: !3)
  %m = sub i32 %n, 1
  call void @rec(ptr %p, i32 %m), !dbg !DILocation(line: 99, column: 1, scope: !3)
  %sq = fmul float %v, %v
  store float %sq, ptr %p
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- local_pointers.ll
; CHECK: error: k.cu:17:1: {{.*}}cannot differentiate a local array of pointers in a recursive function: pass the pointers as arguments
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) {
  call void @rec(ptr %x, i32 %n)
  ret void
}
define void @rec(ptr %p, i32 %n) noinline !dbg !3 {
  %own = alloca [4 x ptr]
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %go
stop:
  ret void
go:
  %q = getelementptr ptr, ptr %own, i32 %n
  store ptr %p, ptr %q, !dbg !DILocation(line: 17, column: 1, scope: !3)
  %m = sub i32 %n, 1
  call void @rec(ptr %p, i32 %m), !dbg !DILocation(line: 99, column: 1, scope: !3)
  %r = load ptr, ptr %own
  %v = load float, ptr %r
  %sq = fmul float %v, %v
  store float %sq, ptr %p
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- returned_pointer.ll
; CHECK: error: {{.*}}cannot differentiate a pointer that comes from call: derive the pointer from a kernel argument by indexing
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %p = call ptr @find(ptr %z, i32 %n), !dbg !DILocation(line: 18, column: 1, scope: !3)
  store float %v, ptr %p
  ret void
}
define ptr @find(ptr %p, i32 %n) noinline {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %stop, label %go
stop:
  ret ptr %p
go:
  %m = sub i32 %n, 1
  %q = call ptr @find(ptr %p, i32 %m)
  %r = getelementptr float, ptr %q, i32 %n
  ret ptr %r
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)
