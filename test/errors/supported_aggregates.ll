; Whole structures are loaded and stored member by member; what prepare leaves
; whole is refused.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/load.ll 2>&1 | FileCheck %t/load.ll
; RUN: not %opt -passes=kdiff -disable-output %t/store.ll 2>&1 | FileCheck %t/store.ll

;--- load.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate a load of a whole aggregate: load its members
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %a = load volatile [2 x float], ptr %x, !dbg !DILocation(line: 11, column: 1, scope: !3)
  %r = extractvalue [2 x float] %a, 0
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

;--- store.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate a store of a whole aggregate: store its members
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %a = insertvalue [2 x float] poison, float %v, 0
  store volatile [2 x float] %a, ptr %y, !dbg !DILocation(line: 12, column: 1, scope: !3)
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
