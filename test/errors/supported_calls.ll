; Calls that stay in the primal and whose derivative nobody knows.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/unknown.ll 2>&1 | FileCheck %t/unknown.ll
; RUN: not %opt -passes=kdiff -disable-output %t/writes.ll 2>&1 | FileCheck %t/writes.ll
; RUN: not %opt -passes=kdiff -disable-output %t/indirect.ll 2>&1 | FileCheck %t/indirect.ll
; RUN: not %opt -passes=kdiff -disable-output %t/allocation.ll 2>&1 | FileCheck %t/allocation.ll
; RUN: not %opt -passes=kdiff -disable-output %t/thread_exit.ll 2>&1 | FileCheck %t/thread_exit.ll
; RUN: not %opt -passes=kdiff -disable-output %t/texture.ll 2>&1 | FileCheck %t/texture.ll
; RUN: not %opt -passes=kdiff -disable-output %t/half_bits.ll 2>&1 | FileCheck %t/half_bits.ll
; RUN: not %opt -passes=kdiff -disable-output %t/cluster.ll 2>&1 | FileCheck %t/cluster.ll

;--- unknown.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate a call of 'somewhere', whose derivative is not known: give the function a body
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %r = call float @somewhere(float %v), !dbg !DILocation(line: 11, column: 1, scope: !3)
  store float %r, ptr %y
  ret void
}
declare float @somewhere(float)
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

;--- writes.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate a call of 'hidden', whose derivative is not known: give the function a body
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  call void @hidden(), !dbg !DILocation(line: 12, column: 1, scope: !3)
  ret void
}
declare void @hidden()
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

;--- indirect.ll
; CHECK: error: k.cu:13:1: {{.*}}cannot differentiate an indirect call through a function pointer: call the function by name
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %g = load ptr, ptr %z
  %r = call float %g(float %v), !dbg !DILocation(line: 13, column: 1, scope: !3)
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

;--- allocation.ll
; CHECK: error: k.cu:14:1: {{.*}}cannot differentiate device memory from malloc that holds differentiated values: pass the memory as an argument with a shadow
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %p = call ptr @malloc(i64 4), !dbg !DILocation(line: 14, column: 1, scope: !3)
  store float %v, ptr %p
  %r = load float, ptr %p
  store float %r, ptr %y
  ret void
}
declare ptr @malloc(i64)
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

;--- thread_exit.ll
; CHECK: error: k.cu:15:1: {{.*}}cannot differentiate an exit of the thread, behind which no reverse sweep runs: return from the kernel
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %c = icmp eq i32 %n, 3
  br i1 %c, label %leave, label %go
leave:
  call void @llvm.nvvm.exit(), !dbg !DILocation(line: 15, column: 1, scope: !3)
  unreachable
go:
  store float 1.0, ptr %y
  ret void
}
declare void @llvm.nvvm.exit()
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

;--- texture.ll
; CHECK: error: k.cu:16:1: {{.*}}cannot differentiate a texture or surface access at a differentiated coordinate, or of a differentiated value: keep the data in global memory
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %t = load i64, ptr %z
  %q = call { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64 %t, float %v), !dbg !DILocation(line: 16, column: 1, scope: !3)
  %r = extractvalue { float, float, float, float } %q, 0
  store float %r, ptr %y
  ret void
}
declare { float, float, float, float } @llvm.nvvm.tex.unified.1d.v4f32.f32(i64, float)
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

;--- half_bits.ll
; CHECK: error: k.cu:17:1: {{.*}}cannot differentiate integer access to the bits of a floating-point value: use floating-point operations
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %i = call i16 @__nv_float2half_rn(float %v), !dbg !DILocation(line: 17, column: 1, scope: !3)
  store i16 %i, ptr %z
  ret void
}
declare i16 @__nv_float2half_rn(float)
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

;--- cluster.ll
; CHECK: error: k.cu:18:1: {{.*}}cannot differentiate a cluster of thread blocks: use blocks that share nothing
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  call void @llvm.nvvm.barrier.cluster.arrive(), !dbg !DILocation(line: 18, column: 1, scope: !3)
  ret void
}
declare void @llvm.nvvm.barrier.cluster.arrive()
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
