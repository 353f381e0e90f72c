; Of warp operations, shuffles of floating-point numbers have a derivative.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/derived.ll 2>&1 | FileCheck %t/derived.ll
; RUN: not %opt -passes=kdiff -disable-output %t/with_predicate.ll 2>&1 | FileCheck %t/with_predicate.ll
; RUN: not %opt -passes=kdiff -disable-output %t/reduction.ll 2>&1 | FileCheck %t/reduction.ll

;--- derived.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate a warp operation (llvm.nvvm.shfl.sync.bfly.i32) on a differentiated value: use shuffles of float or double
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %i = lshr i32 %b, 23
  %s = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %i, i32 1, i32 31), !dbg !DILocation(line: 12, column: 1, scope: !3)
  store i32 %s, ptr %z
  ret void
}
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
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

;--- with_predicate.ll
; CHECK: error: k.cu:13:1: {{.*}}cannot differentiate a warp operation (llvm.nvvm.shfl.sync.bfly.f32p) on a differentiated value: use shuffles of float or double
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %s = call { float, i1 } @llvm.nvvm.shfl.sync.bfly.f32p(i32 -1, float %v, i32 1, i32 31), !dbg !DILocation(line: 13, column: 1, scope: !3)
  %r = extractvalue { float, i1 } %s, 0
  store float %r, ptr %y
  ret void
}
declare { float, i1 } @llvm.nvvm.shfl.sync.bfly.f32p(i32, float, i32, i32)
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

;--- reduction.ll
; CHECK: error: k.cu:14:1: {{.*}}cannot differentiate a warp operation (llvm.nvvm.redux.sync.fmax) on a differentiated value: use shuffles of float or double
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %r = call float @llvm.nvvm.redux.sync.fmax(float %v, i32 -1), !dbg !DILocation(line: 14, column: 1, scope: !3)
  store float %r, ptr %y
  ret void
}
declare float @llvm.nvvm.redux.sync.fmax(float, i32)
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
