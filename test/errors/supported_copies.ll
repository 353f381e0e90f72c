; Block copies whose words have no known type, or no shadow to move to.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/to_constant.ll 2>&1 | FileCheck %t/to_constant.ll
; RUN: not %opt -passes=kdiff -disable-output %t/unknown_type.ll 2>&1 | FileCheck %t/unknown_type.ll
; RUN: not %opt -passes=kdiff -disable-output %t/may_lack_a_shadow.ll 2>&1 | FileCheck %t/may_lack_a_shadow.ll

;--- to_constant.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate a copy from differentiated memory to memory without shadow: give the target a shadow, or mark the source kd_const
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %l = zext i32 %n to i64
  call void @llvm.memcpy.p0.p0.i64(ptr %z, ptr %x, i64 %l, i1 false), !dbg !DILocation(line: 11, column: 1, scope: !3)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
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

;--- unknown_type.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate a block copy (memcpy) of memory whose type is not known: copy element by element, or assign the structure
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %l = zext i32 %n to i64
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 %l, i1 false), !dbg !DILocation(line: 12, column: 1, scope: !3)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
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
; CHECK: error: k.cu:13:1: {{.*}}cannot differentiate a block copy whose operands may lack a shadow: copy element by element
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %c = icmp eq i32 %n, 3
  %p = select i1 %c, ptr %x, ptr %z
  %l = zext i32 %n to i64
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %p, i64 %l, i1 false), !dbg !DILocation(line: 13, column: 1, scope: !3)
  %v = load float, ptr %x
  store float %v, ptr %y
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
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
