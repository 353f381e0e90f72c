; Inline assembly that is not understood is opaque: neither differentiated values
; nor memory may go in.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/value.ll 2>&1 | FileCheck %t/value.ll
; RUN: not %opt -passes=kdiff -disable-output %t/bits.ll 2>&1 | FileCheck %t/bits.ll
; RUN: not %opt -passes=kdiff -disable-output %t/pointer.ll 2>&1 | FileCheck %t/pointer.ll
; RUN: not %opt -passes=kdiff -disable-output %t/clobber.ll 2>&1 | FileCheck %t/clobber.ll
; RUN: not %opt -passes=kdiff -disable-output %t/exit.ll 2>&1 | FileCheck %t/exit.ll
; RUN: sed 's/"exit;"/"{ L: \/* leave *\/ \/\/ now\\0A@!p exit; }"/' %t/exit.ll > %t/label.ll
; RUN: FileCheck --input-file=%t/label.ll --check-prefix=LABEL %t/exit.ll
; RUN: not %opt -passes=kdiff -disable-output %t/label.ll 2>&1 | FileCheck %t/exit.ll
; RUN: %opt -passes=kdiff -disable-output %t/empty.ll
; RUN: sed 's/sideeffect "", "~{memory}"/sideeffect ".pragma \\22nounroll\\22;", ""/' %t/empty.ll | %opt -passes=kdiff -disable-output

;--- exit.ll
; LABEL: sideeffect "{ L: /* leave */ // now\0A@!p exit; }"
; CHECK: cannot differentiate a jump in inline assembly (exit, ret, bra, call): return from the kernel, branch in C++
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %r = fmul float %v, %v
  store float %r, ptr %y
  call void asm sideeffect "exit;", ""()
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}

;--- empty.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y) {
  %v = load float, ptr %x
  %r = fmul float %v, %v
  call void asm sideeffect "", "~{memory}"()
  store float %r, ptr %y
  ret void
}
declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}

;--- value.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate inline assembly (asm) on a differentiated value: write the operation in CUDA C++
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %r = call float asm "frobnicate.f32 $0, $1;", "=f,f"(float %v), !dbg !DILocation(line: 11, column: 1, scope: !3)
  store float %r, ptr %y
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

;--- bits.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate inline assembly (asm) on a differentiated value: write the operation in CUDA C++
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %h = load i16, ptr %x
  %r = call i16 asm "shl.b16 $0, $1, 1;", "=h,h"(i16 %h), !dbg !DILocation(line: 12, column: 1, scope: !3)
  store i16 %r, ptr %y
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

;--- pointer.ll
; CHECK: error: k.cu:13:1: {{.*}}cannot differentiate inline assembly (asm) that may access memory: write the access in CUDA C++
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %r = call float asm "ld.volatile.f32 $0, [$1];", "=f,l"(ptr %z), !dbg !DILocation(line: 13, column: 1, scope: !3)
  store float %r, ptr %y
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

;--- clobber.ll
; CHECK: error: k.cu:14:1: {{.*}}cannot differentiate inline assembly (asm) that may access memory: write the access in CUDA C++
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  call void asm sideeffect "nanosleep.u32 7;", "~{memory}"(), !dbg !DILocation(line: 14, column: 1, scope: !3)
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
