; kd_seednoneed: a block's sum of squares. Its derivative needs no sum, so that
; the shared memory is not written, no barrier is passed before the reverse
; sweep, and no shuffle and no atomic made.
; RUN: %opt -passes='print<kdiff-plan>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<kdiff-plan>' -pass-remarks-analysis=kdiff -disable-output %s 2>&1 | FileCheck %s --check-prefix=REMARK
; RUN: sed 's/kd_seednoneed/kd_seed/' %s | %opt -passes='print<kdiff-plan>' -disable-output 2>&1 | FileCheck %s --check-prefix=WANTED
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s --check-prefix=EMIT

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: left out: store float %sq, ptr addrspace(3)
; CHECK-NEXT: left out: call void @llvm.nvvm.barrier
; CHECK-NEXT: left out: %other = call float @llvm.nvvm.shfl
; CHECK-NEXT: left out: %{{.*}} = atomicrmw fadd
; WANTED-NOT: left out:
; REMARK: k.cu:9:3: left out: its result is not wanted
; EMIT-LABEL: define internal void @kdiff.grad.f(
; EMIT-NOT: store float %sq
; EMIT-NOT: call void @llvm.nvvm.barrier
; EMIT-NOT: call float @llvm.nvvm.shfl
; EMIT-NOT: atomicrmw
; EMIT: br label %rev.clear
@tile = internal addrspace(3) global [32 x float] poison

define ptx_kernel void @f(ptr %x, ptr %y) !dbg !3 {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %at = sext i32 %t to i64
  %p = getelementptr inbounds float, ptr %x, i64 %at
  %v = load float, ptr %p
  %sq = fmul float %v, %v
  %mine = getelementptr inbounds float, ptr addrspace(3) @tile, i64 %at
  store float %sq, ptr addrspace(3) %mine
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %mirror = xor i64 %at, 1
  %his = getelementptr inbounds float, ptr addrspace(3) @tile, i64 %mirror
  %a = load float, ptr addrspace(3) %his
  %other = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %a, i32 2, i32 31)
  %sum = fadd float %a, %other
  %old = atomicrmw fadd ptr %y, float %sum monotonic, !dbg !DILocation(line: 9, column: 3, scope: !3)
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @f, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_seednoneed", ptr %y, ptr %dy)
  ret void
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "k.cu", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", file: !1, unit: !0)
