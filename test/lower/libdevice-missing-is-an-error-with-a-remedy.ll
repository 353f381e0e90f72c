; RUN: env KDIFF_LIBDEVICE=/nowhere/libdevice.bc not %opt -passes=kdiff-lower -S %s -o /dev/null 2>&1 | FileCheck %s
; RUN: env KDIFF_LIBDEVICE=%s not %opt -passes=kdiff-lower -S %s -o /dev/null 2>&1 | FileCheck %s --check-prefix=LACKS

; CHECK: k.cu:7:3: in function k {{.*}}cannot differentiate a call of '__nv_cos', which is in libdevice, and there is no {{.*}}: set KDIFF_LIBDEVICE to the CUDA toolkit's nvvm/libdevice/libdevice.10.bc, or CUDA_PATH to the toolkit
; LACKS: cannot differentiate a call of '__nv_cos', which is not in {{.*}}: set KDIFF_LIBDEVICE

target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @k(ptr addrspace(1) %d, double %x) !dbg !5 {
  %c = call double @__nv_cos(double %x), !dbg !8
  store double %c, ptr addrspace(1) %d, !dbg !8
  ret void, !dbg !8
}

declare double @__nv_cos(double)

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!5 = distinct !DISubprogram(name: "k", scope: !1, file: !1, line: 5, type: !6, unit: !0, spFlags: DISPFlagDefinition)
!6 = !DISubroutineType(types: !7)
!7 = !{}
!8 = !DILocation(line: 7, column: 3, scope: !5)
