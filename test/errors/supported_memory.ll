; Accesses whose derivative would be lost or torn.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/device_variable.ll 2>&1 | FileCheck %t/device_variable.ll
; RUN: not %opt -passes=kdiff -disable-output %t/read_again.ll 2>&1 | FileCheck %t/read_again.ll
; RUN: not %opt -passes=kdiff -disable-output %t/atomic_load.ll 2>&1 | FileCheck %t/atomic_load.ll
; RUN: not %opt -passes=kdiff -disable-output %t/atomic_store.ll 2>&1 | FileCheck %t/atomic_store.ll

;--- device_variable.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate a differentiated value stored to the __device__ variable 'result', which has no shadow: pass the memory as an argument with a shadow
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  store float %v, ptr addrspace(1) @result, !dbg !DILocation(line: 11, column: 1, scope: !3)
  ret void
}
@result = internal addrspace(1) global float 0.0
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

;--- read_again.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate a differentiated value stored to memory without a shadow that is read again: mark the memory kd_dup and give it a shadow
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  store float %v, ptr %z, !dbg !DILocation(line: 12, column: 1, scope: !3)
  %q = getelementptr float, ptr %z, i32 %n
  %r = load float, ptr %q
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

;--- atomic_load.ll
; CHECK: error: k.cu:13:1: {{.*}}cannot differentiate an atomic load of a differentiated value: load it without atomics
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %r = load atomic float, ptr %x monotonic, align 4, !dbg !DILocation(line: 13, column: 1, scope: !3)
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

;--- atomic_store.ll
; CHECK: error: k.cu:14:1: {{.*}}cannot differentiate an atomic store of a differentiated value: store it without atomics
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  store atomic float %v, ptr %y monotonic, align 4, !dbg !DILocation(line: 14, column: 1, scope: !3)
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
