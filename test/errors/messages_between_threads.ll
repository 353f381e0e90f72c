; Flags order threads, and nothing mirrors that: where a differentiated value may
; pass by one, its adjoint could be read before it is complete.
; RUN: split-file %s %t
; RUN: not %opt -passes=kdiff -disable-output %t/last_block.ll 2>&1 | FileCheck %t/last_block.ll
; RUN: not %opt -passes=kdiff -disable-output %t/fence_instruction.ll 2>&1 | FileCheck %t/fence_instruction.ll
; RUN: not %opt -passes=kdiff -disable-output %t/last_warp_of_block.ll 2>&1 | FileCheck %t/last_warp_of_block.ll
; RUN: not %opt -passes=kdiff -disable-output %t/lock.ll 2>&1 | FileCheck %t/lock.ll
; RUN: not %opt -passes=kdiff -disable-output %t/lock_within_a_loop.ll 2>&1 | FileCheck %t/lock_within_a_loop.ll
; RUN: not %opt -passes=kdiff -disable-output %t/flag.ll 2>&1 | FileCheck %t/flag.ll

;--- last_block.ll
; CHECK: error: k.cu:11:1: {{.*}}cannot differentiate a memory fence by which differentiated values may pass from thread to thread: end the kernel there, or wait at __syncthreads() where the threads are of one block; __restrict__ tells what is written and not read
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %p = getelementptr float, ptr %y, i32 %n
  store float %v, ptr %p
  call void @llvm.nvvm.membar.gl(), !dbg !DILocation(line: 11, column: 1, scope: !3)
  %ticket = atomicrmw add ptr %z, i32 1 monotonic
  %last = icmp eq i32 %ticket, 7
  br i1 %last, label %sum, label %done
sum:
  %other = load float, ptr %y
  store float %other, ptr %x
  br label %done
done:
  ret void
}
declare void @llvm.nvvm.membar.gl()
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

;--- fence_instruction.ll
; CHECK: error: k.cu:12:1: {{.*}}cannot differentiate a memory fence by which differentiated values may pass from thread to thread: end the kernel there, or wait at __syncthreads() where the threads are of one block; __restrict__ tells what is written and not read
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  store float %v, ptr %y
  fence syncscope("device") acq_rel, !dbg !DILocation(line: 12, column: 1, scope: !3)
  %flag = load volatile i32, ptr %z
  %set = icmp ne i32 %flag, 0
  br i1 %set, label %sum, label %done
sum:
  %p = getelementptr float, ptr %y, i32 %n
  %other = load float, ptr %p
  store float %other, ptr %x
  br label %done
done:
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

;--- last_warp_of_block.ll
; CHECK: error: k.cu:13:1: {{.*}}cannot differentiate a memory fence by which differentiated values may pass from thread to thread: end the kernel there, or wait at __syncthreads() where the threads are of one block; __restrict__ tells what is written and not read
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  %p = getelementptr float, ptr addrspace(3) @tile, i32 %n
  store float %v, ptr addrspace(3) %p
  call void @llvm.nvvm.membar.cta(), !dbg !DILocation(line: 13, column: 1, scope: !3)
  %ticket = atomicrmw add ptr addrspace(3) @count, i32 1 monotonic
  %last = icmp eq i32 %ticket, 7
  br i1 %last, label %sum, label %done
sum:
  %other = load float, ptr addrspace(3) @tile
  store float %other, ptr %y
  br label %done
done:
  ret void
}
@tile = internal addrspace(3) global [8 x float] undef
@count = internal addrspace(3) global i32 undef
declare void @llvm.nvvm.membar.cta()
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

;--- lock.ll
; CHECK: error: k.cu:14:1: {{.*}}cannot differentiate a loop that waits for other threads (a lock or a flag): use atomicAdd instead of a lock, or end the kernel where threads must wait
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  br label %wait
wait:
  %found = cmpxchg ptr %z, i32 0, i32 1 monotonic monotonic, !dbg !DILocation(line: 14, column: 1, scope: !3)
  %free = extractvalue { i32, i1 } %found, 1
  br i1 %free, label %locked, label %wait
locked:
  %v = load float, ptr %x
  %s = load float, ptr %y
  %t = fadd float %s, %v
  store float %t, ptr %y
  %old = atomicrmw xchg ptr %z, i32 0 monotonic
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

;--- lock_within_a_loop.ll
; CHECK: error: k.cu:15:1: {{.*}}cannot differentiate a loop that waits for other threads (a lock or a flag): use atomicAdd instead of a lock, or end the kernel where threads must wait
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  br label %try
try:
  %done = phi i1 [ false, %0 ], [ %done.next, %again ]
  %found = atomicrmw xchg ptr %z, i32 1 monotonic, !dbg !DILocation(line: 15, column: 1, scope: !3)
  %free = icmp eq i32 %found, 0
  br i1 %free, label %locked, label %again
locked:
  %v = load float, ptr %x
  %s = load float, ptr %y
  %t = fadd float %s, %v
  store float %t, ptr %y
  store volatile i32 0, ptr %z
  br label %again
again:
  %done.next = phi i1 [ true, %locked ], [ %done, %try ]
  br i1 %done.next, label %out, label %try
out:
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

;--- flag.ll
; CHECK: error: k.cu:16:1: {{.*}}cannot differentiate a loop that waits for other threads (a lock or a flag): use atomicAdd instead of a lock, or end the kernel where threads must wait
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @f(ptr %x, ptr %y, ptr %z, i32 %n) !dbg !3 {
  %v = load float, ptr %x
  store float %v, ptr %y
  br label %wait
wait:
  %flag = load volatile i32, ptr %z, !dbg !DILocation(line: 16, column: 1, scope: !3)
  %set = icmp ne i32 %flag, 0
  br i1 %set, label %go, label %wait
go:
  %p = getelementptr float, ptr %y, i32 %n
  %other = load float, ptr %p
  store float %other, ptr %x
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
