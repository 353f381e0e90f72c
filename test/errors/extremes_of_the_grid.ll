; In split mode the last to put a number into a word has its derivative. Not where
; nobody is the last, or where the word is looked at before.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/old_value_used.ll 2>&1 | FileCheck %t/old_value_used.ll
; RUN: not %opt -passes=kdiff -disable-output %t/both_ways.ll 2>&1 | FileCheck %t/both_ways.ll
; RUN: not %opt -passes=kdiff -disable-output %t/no_shadow.ll 2>&1 | FileCheck %t/no_shadow.ll
; RUN: not %opt -passes=kdiff -disable-output %t/read_between.ll 2>&1 | FileCheck %t/read_between.ll
; RUN: not %opt -passes=kdiff -disable-output %t/written_between.ll 2>&1 | FileCheck %t/written_between.ll
; RUN: not %opt -passes=kdiff -disable-output %t/copied_between.ll 2>&1 | FileCheck %t/copied_between.ll
; RUN: not %opt -passes=kdiff -disable-output %t/added_to.ll 2>&1 | FileCheck %t/added_to.ll

;--- old_value_used.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate an atomic maximum or minimum of differentiated values, whose winner nobody knows
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %o = atomicrmw max ptr %y, i32 %b monotonic, !dbg !DILocation(line: 11, column: 1, scope: !3)
  store i32 %o, ptr %z
  ret void
}
declare void @__kd_augment(...)
define void @request(ptr %t, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_augment(ptr @f, ptr %t, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- both_ways.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate an atomic maximum or minimum of differentiated values, whose winner nobody knows
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %o = atomicrmw fmax ptr %y, float %v monotonic, !dbg !DILocation(line: 12, column: 1, scope: !3)
  %p = atomicrmw fmin ptr %y, float %v monotonic
  ret void
}
declare void @__kd_augment(...)
define void @request(ptr %t, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_augment(ptr @f, ptr %t, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- no_shadow.ll
; CHECK: error: k.cu:13:1: {{.*}}cannot differentiate an atomic maximum or minimum in memory without a shadow: mark the memory kd_dup and give it a shadow
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %o = atomicrmw fmax ptr %z, float %v monotonic, !dbg !DILocation(line: 13, column: 1, scope: !3)
  ret void
}
declare void @__kd_augment(...)
define void @request(ptr %t, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_augment(ptr @f, ptr %t, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- read_between.ll
; CHECK: error: k.cu:14:1: {{.*}}cannot differentiate an access to memory between atomic maxima or minima of it: end the kernel before it, or behind it
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %o = atomicrmw fmax ptr %y, float %v monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load float, ptr %y, !dbg !DILocation(line: 14, column: 1, scope: !3)
  %s = fmul float %w, %v
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %p = atomicrmw fmax ptr %y, float %s monotonic
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__kd_augment(...)
define void @request(ptr %t, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_augment(ptr @f, ptr %t, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- written_between.ll
; CHECK: error: k.cu:15:1: {{.*}}cannot differentiate an access to memory between atomic maxima or minima of it
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %o = atomicrmw fmax ptr %y, float %v monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store float 0.0, ptr %y, !dbg !DILocation(line: 15, column: 1, scope: !3)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %p = atomicrmw fmax ptr %y, float %v monotonic
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @__kd_augment(...)
define void @request(ptr %t, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_augment(ptr @f, ptr %t, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- copied_between.ll
; CHECK: error: k.cu:16:1: {{.*}}cannot differentiate an access to memory between atomic maxima or minima of it
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %o = atomicrmw fmax ptr %y, float %v monotonic
  call void @llvm.memcpy.p0.p0.i64(ptr %y, ptr %x, i64 4096, i1 false), !dbg !DILocation(line: 16, column: 1, scope: !3)
  %p = atomicrmw fmax ptr %y, float %v monotonic
  ret void
}
declare void @__kd_augment(...)
define void @request(ptr %t, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_augment(ptr @f, ptr %t, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)

;--- added_to.ll
; CHECK: error: k.cu:17:1: {{.*}}cannot differentiate an atomic maximum or minimum of differentiated values, whose winner nobody knows
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %o = atomicrmw fmax ptr %y, float %v monotonic, !dbg !DILocation(line: 17, column: 1, scope: !3)
  %a = atomicrmw fadd ptr %y, float %v monotonic
  %p = atomicrmw fmax ptr %y, float %v monotonic
  ret void
}
declare void @__kd_augment(...)
define void @request(ptr %t, ptr %x, ptr %dx, ptr %y, ptr %dy, ptr %z) {
  call void (...) @__kd_augment(ptr @f, ptr %t, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy, metadata !"kd_const", ptr %z, i32 7)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)
