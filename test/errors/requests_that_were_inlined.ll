; A request that LLVM has inlined before KDiff runs is an error, not a kernel
; without its body.
; RUN: not %opt -passes=kdiff -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare void @__kd_compile_with_fpass_plugin_libKDiff_so()

; CHECK: error: app.cu:7:3: {{.*}}the request was inlined before KDiff ran: give clang -fpass-plugin=libKDiff.so, or opt what clang writes with -Xclang -disable-llvm-passes
define ptx_kernel void @gradient(ptr %x, ptr %dx) !dbg !4 {
  call void @__kd_compile_with_fpass_plugin_libKDiff_so(), !dbg !6
  unreachable
}

!llvm.module.flags = !{!0}
!llvm.dbg.cu = !{!1}
!0 = !{i32 2, !"Debug Info Version", i32 3}
!1 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !2, emissionKind: LineTablesOnly)
!2 = !DIFile(filename: "app.cu", directory: "/")
!3 = !DISubroutineType(types: !5)
!4 = distinct !DISubprogram(name: "gradient", file: !2, line: 6, type: !3, unit: !1, spFlags: DISPFlagDefinition)
!5 = !{}
!6 = !DILocation(line: 7, column: 3, scope: !4)
