; The primal's atomic addition to two half-precision numbers is one instruction,
; of its scope and space, where the target has it; else LLVM makes a loop.
; RUN: %opt -passes=kdiff -S %s | FileCheck %s
; RUN: %opt -passes=kdiff -S %s | %llc -mcpu=sm_90 -o - | FileCheck %s --check-prefix=PTX

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@shared = internal addrspace(3) global [32 x <2 x half>] undef

; CHECK-LABEL: define ptx_kernel void @request_halves(
; CHECK: call i32 asm sideeffect "atom.relaxed.gpu.global.add.noftz.f16x2 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr addrspace(1)
; CHECK: call i32 asm sideeffect "atom.relaxed.cta.shared.add.noftz.f16x2 $0, [$1], $2;", "=r,l,r,~{memory}"(ptr addrspace(3)
; CHECK-LABEL: define ptx_kernel void @request_bfloats(
; CHECK: call i32 asm sideeffect "atom.relaxed.sys.global.add.noftz.bf16x2
; CHECK-LABEL: define ptx_kernel void @request_older(
; CHECK: atomicrmw fadd ptr addrspace(1) %{{.*}}, <2 x bfloat>

; PTX: atom.relaxed.gpu.global.add.noftz.f16x2
define ptx_kernel void @halves(ptr %x, ptr %y) #0 {
  %v = load <2 x half>, ptr %x
  %a = atomicrmw fadd ptr %y, <2 x half> %v syncscope("device") monotonic
  %b = atomicrmw fadd ptr addrspace(3) @shared, <2 x half> %v syncscope("block") monotonic
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %s = load <2 x half>, ptr addrspace(3) @shared
  store <2 x half> %s, ptr %x
  ret void
}
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
define ptx_kernel void @bfloats(ptr %x, ptr %y) #0 {
  %v = load <2 x bfloat>, ptr %x
  %a = atomicrmw fadd ptr %y, <2 x bfloat> %v monotonic
  ret void
}
define ptx_kernel void @older(ptr %x, ptr %y) #1 {
  %v = load <2 x bfloat>, ptr %x
  %a = atomicrmw fadd ptr %y, <2 x bfloat> %v monotonic
  ret void
}
attributes #0 = { "target-cpu"="sm_90" "target-features"="+ptx81,+sm_90" }
attributes #1 = { "target-cpu"="sm_80" "target-features"="+ptx81,+sm_80" }

declare void @__kd_autodiff(...)
define ptx_kernel void @request_halves(ptr %x, ptr %dx, ptr %y, ptr %dy) #0 {
  call void (...) @__kd_autodiff(ptr @halves, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
define ptx_kernel void @request_bfloats(ptr %x, ptr %dx, ptr %y, ptr %dy) #0 {
  call void (...) @__kd_autodiff(ptr @bfloats, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
define ptx_kernel void @request_older(ptr %x, ptr %dx, ptr %y, ptr %dy) #1 {
  call void (...) @__kd_autodiff(ptr @older, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
