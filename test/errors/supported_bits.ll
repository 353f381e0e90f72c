; Integer arithmetic on floating-point bits has no derivative.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/stored.ll 2>&1 | FileCheck %t/stored.ll
; RUN: not %opt -passes=kdiff -disable-output %t/returned.ll 2>&1 | FileCheck %t/returned.ll
; RUN: not %opt -passes=kdiff -disable-output %t/converted.ll 2>&1 | FileCheck %t/converted.ll
; RUN: not %opt -passes=kdiff -disable-output %t/two_types.ll 2>&1 | FileCheck %t/two_types.ll
; RUN: not %opt -passes=kdiff -disable-output %t/mixed_words.ll 2>&1 | FileCheck %t/mixed_words.ll

;--- stored.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate integer arithmetic on the bits of a floating-point value: use floating-point operations
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %i = add i32 %b, 8388608
  store float 0.0, ptr %y
  store i32 %i, ptr %y, !dbg !DILocation(line: 11, column: 1, scope: !3)
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

;--- returned.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate integer arithmetic on the bits of a floating-point value (bitcast, xor, shifts): use floating-point operations
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %i = xor i32 %b, 8388608
  %r = bitcast i32 %i to float, !dbg !DILocation(line: 12, column: 1, scope: !3)
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

;--- converted.ll
; CHECK: error: k.cu:13:1: {{.*}}cannot differentiate integer arithmetic on the bits of a floating-point value (bitcast, xor, shifts): use floating-point operations
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %i = lshr i32 %b, 23
  %r = uitofp i32 %i to float, !dbg !DILocation(line: 13, column: 1, scope: !3)
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

;--- two_types.ll
; CHECK: error: k.cu:14:1: {{.*}}cannot differentiate a bitcast between floating-point types: keep the bits in one type
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %d = load double, ptr %x
  %b = bitcast double %d to <2 x float>, !dbg !DILocation(line: 14, column: 1, scope: !3)
  %r = extractelement <2 x float> %b, i32 1
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

;--- mixed_words.ll
; CHECK: error: k.cu:15:1: {{.*}}cannot differentiate integer arithmetic (or) on the bits of a floating-point value: use floating-point operations
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %w = load float, ptr %y
  %c = bitcast float %w to i32
  %i = or i32 %b, %c, !dbg !DILocation(line: 15, column: 1, scope: !3)
  %r = bitcast i32 %i to float
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
