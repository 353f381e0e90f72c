; A function of integers that rearranges the bytes of a floating-point number.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/permute.ll 2>&1 | FileCheck %t/permute.ll

;--- permute.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate a call without a derivative rule: use another function
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load i32, ptr %x
  %w = load float, ptr %x
  %r = call i32 @llvm.nvvm.prmt(i32 %v, i32 0, i32 8961), !dbg !DILocation(line: 11, column: 1, scope: !3)
  store float %w, ptr %y
  store i32 %r, ptr %y
  ret void
}
declare i32 @llvm.nvvm.prmt(i32, i32, i32)
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
