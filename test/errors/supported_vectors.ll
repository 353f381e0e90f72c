; Vectors of integers whose elements are no whole floating-point numbers.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/packed.ll 2>&1 | FileCheck %t/packed.ll
; RUN: not %opt -passes=kdiff -disable-output %t/to_double.ll 2>&1 | FileCheck %t/to_double.ll

;--- packed.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate vectors of packed floating-point bits: use vectors of floating-point type
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %a = load <2 x i32>, ptr %x
  %h = load <4 x half>, ptr %x
  %e = extractelement <2 x i32> %a, i32 %n, !dbg !DILocation(line: 11, column: 1, scope: !3)
  store <4 x half> %h, ptr %y
  store i32 %e, ptr %y
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

;--- to_double.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate a bitcast between floating-point types: keep the bits in one type
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load <2 x float>, ptr %x
  %b = bitcast <2 x float> %v to i64
  %d = bitcast i64 %b to double, !dbg !DILocation(line: 12, column: 1, scope: !3)
  store double %d, ptr %y
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
