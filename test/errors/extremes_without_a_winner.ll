; An atomic maximum has a derivative where a barrier of the block tells who has won.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/no_barrier.ll 2>&1 | FileCheck %t/no_barrier.ll
; RUN: not %opt -passes=kdiff -disable-output %t/two_barriers.ll 2>&1 | FileCheck %t/two_barriers.ll
; RUN: not %opt -passes=kdiff -disable-output %t/old_value_used.ll 2>&1 | FileCheck %t/old_value_used.ll
; RUN: not %opt -passes=kdiff -disable-output %t/both_ways.ll 2>&1 | FileCheck %t/both_ways.ll
; RUN: not %opt -passes=kdiff -disable-output %t/address_of_the_trip.ll 2>&1 | FileCheck %t/address_of_the_trip.ll
; RUN: not %opt -passes=kdiff -disable-output %t/global.ll 2>&1 | FileCheck %t/global.ll

;--- no_barrier.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate an atomic maximum or minimum of differentiated values, whose winner nobody knows: take it in shared memory, at one address for the whole block and with __syncthreads() behind it, or in global memory and split mode (kdiff::Reversal::Split on a kdiff::Tape, else __kd_augment and __kd_reverse), without its old value
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %o = atomicrmw max ptr addrspace(3) @peak, i32 %b monotonic, !dbg !DILocation(line: 11, column: 1, scope: !3)
  ret void
}
@peak = internal addrspace(3) global [32 x float] undef
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
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

;--- two_barriers.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate an atomic maximum or minimum of differentiated values, whose winner nobody knows: take it in shared memory, at one address for the whole block and with __syncthreads() behind it, or in global memory and split mode (kdiff::Reversal::Split on a kdiff::Tape, else __kd_augment and __kd_reverse), without its old value
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %o = atomicrmw max ptr addrspace(3) @peak, i32 %b monotonic, !dbg !DILocation(line: 12, column: 1, scope: !3)
  %c = icmp eq i32 %n, 0
  br i1 %c, label %one, label %two
one:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 1)
  br label %end
two:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 2)
  br label %end
end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load float, ptr addrspace(3) @peak
  store float %w, ptr %y
  ret void
}
@peak = internal addrspace(3) global [32 x float] undef
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
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

;--- old_value_used.ll
; CHECK: error: k.cu:13:1: {{.*}}cannot differentiate an atomic maximum or minimum of differentiated values, whose winner nobody knows: take it in shared memory, at one address for the whole block and with __syncthreads() behind it, or in global memory and split mode (kdiff::Reversal::Split on a kdiff::Tape, else __kd_augment and __kd_reverse), without its old value
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %o = atomicrmw umin ptr addrspace(3) @peak, i32 %b monotonic, !dbg !DILocation(line: 13, column: 1, scope: !3)
  store i32 %o, ptr %z
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load float, ptr addrspace(3) @peak
  store float %w, ptr %y
  ret void
}
@peak = internal addrspace(3) global [32 x float] undef
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
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

;--- both_ways.ll
; CHECK: error: k.cu:14:1: {{.*}}cannot differentiate an atomic maximum or minimum of differentiated values, whose winner nobody knows: take it in shared memory, at one address for the whole block and with __syncthreads() behind it, or in global memory and split mode (kdiff::Reversal::Split on a kdiff::Tape, else __kd_augment and __kd_reverse), without its old value
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %b = bitcast float %v to i32
  %o = atomicrmw max ptr addrspace(3) @peak, i32 %b monotonic, !dbg !DILocation(line: 14, column: 1, scope: !3)
  %p = atomicrmw min ptr addrspace(3) @peak, i32 %b monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load float, ptr addrspace(3) @peak
  store float %w, ptr %y
  ret void
}
@peak = internal addrspace(3) global [32 x float] undef
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
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

;--- address_of_the_trip.ll
; CHECK: error: k.cu:15:1: {{.*}}cannot differentiate an atomic maximum or minimum of differentiated values, whose winner nobody knows: take it in shared memory, at one address for the whole block and with __syncthreads() behind it, or in global memory and split mode (kdiff::Reversal::Split on a kdiff::Tape, else __kd_augment and __kd_reverse), without its old value
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr float, ptr %x, i32 %i
  %v = load float, ptr %q
  %b = bitcast float %v to i32
  %p = getelementptr float, ptr addrspace(3) @peak, i32 %i
  %o = atomicrmw max ptr addrspace(3) %p, i32 %b monotonic, !dbg !DILocation(line: 15, column: 1, scope: !3)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %w = load float, ptr addrspace(3) @peak
  store float %w, ptr %y
  ret void
}
@peak = internal addrspace(3) global [32 x float] undef
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
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

;--- global.ll
; CHECK: error: k.cu:16:1: {{.*}}cannot differentiate an atomic maximum or minimum of differentiated values, whose winner nobody knows: take it in shared memory, at one address for the whole block and with __syncthreads() behind it, or in global memory and split mode (kdiff::Reversal::Split on a kdiff::Tape, else __kd_augment and __kd_reverse), without its old value
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %o = atomicrmw fmax ptr %y, float %v monotonic, !dbg !DILocation(line: 16, column: 1, scope: !3)
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
