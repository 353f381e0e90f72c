; The marker of kdiff/simt.h becomes a device variable that holds the module's
; bitcode; a module without it stays as it is.
; RUN: split-file %s %t
; RUN: %opt -passes=kdiff-embed %t/asked.ll -S | FileCheck %s
; RUN: %opt -passes=kdiff-embed %t/silent.ll -S | FileCheck %s --check-prefix=SILENT
; RUN: %opt -passes='default<O1>' %t/asked.ll -S | FileCheck %s

; CHECK-NOT: embed_ir
; CHECK: @__kd_ir_{{[0-9a-f]+}} = addrspace(1) constant [{{[0-9]+}} x i8] c"KDiffIR1
; CHECK-NOT: embed_ir
; SILENT-NOT: __kd_ir
;--- asked.ll
target triple = "nvptx64-nvidia-cuda"
@_ZN12_GLOBAL__N_113__kd_embed_irE = internal addrspace(1) global i32 0
@llvm.compiler.used = appending global [1 x ptr] [ptr addrspacecast (ptr addrspace(1) @_ZN12_GLOBAL__N_113__kd_embed_irE to ptr)], section "llvm.metadata"
define ptx_kernel void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
;--- silent.ll
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @k(ptr %p) {
  store i32 1, ptr %p
  ret void
}
