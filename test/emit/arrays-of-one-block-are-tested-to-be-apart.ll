; Integers and numbers carved from one block of shared memory: where integers are
; copied, each access is tested to stay on its side of the other array's beginning.
; Other accesses are of different types, which do not meet by the rules of C++.
; RUN: %opt -passes='kdiff<stop-after=emit>' -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@memory = external addrspace(3) global [0 x double]

; CHECK-LABEL: define internal void @kdiff.grad.copied(
; CHECK: %[[SIZE:.*]] = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
; CHECK: %[[FLAGS:.*]] = getelementptr double, ptr addrspace(3) @memory, i32 %[[SIZE]]
; CHECK: call void @kd.shared.within(
; CHECK-NEXT: %[[END:.*]] = getelementptr i8, ptr addrspace(3) %a, i32 8
; CHECK-NEXT: %[[BELOW:.*]] = icmp ult ptr addrspace(3) %[[FLAGS]], @memory
; CHECK: %[[LAST:.*]] = select i1 %[[BELOW]], ptr addrspace(3) @memory, ptr addrspace(3) %[[END]]
; CHECK: %[[LIMIT:.*]] = select i1 %[[BELOW]], ptr addrspace(3) %a, ptr addrspace(3) %[[FLAGS]]
; CHECK: call void @kd.shared.apart(ptr addrspace(3) %[[LAST]], ptr addrspace(3) %[[LIMIT]])
; CHECK: call void @kd.shared.apart(
; CHECK: %flag = load i32
; CHECK: call void @kd.shared.apart(
; CHECK-NOT: call void @kd.shared.apart(
; CHECK-LABEL: define internal void @kdiff.grad.used(
; CHECK-NOT: call void @kd.shared.apart(
; CHECK: ret void
define ptx_kernel void @copied(ptr %x) {
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %flags = getelementptr double, ptr addrspace(3) @memory, i32 %n
  %v = load double, ptr %x
  %a = getelementptr double, ptr addrspace(3) @memory, i32 %lane
  store double %v, ptr addrspace(3) %a
  %f = getelementptr i32, ptr addrspace(3) %flags, i32 %lane
  %flag = load i32, ptr addrspace(3) %f
  %g = getelementptr i32, ptr addrspace(3) %f, i32 %lane
  store i32 %flag, ptr addrspace(3) %g
  ret void
}
define ptx_kernel void @used(ptr %x, ptr %y) {
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %flags = getelementptr double, ptr addrspace(3) @memory, i32 %n
  %v = load double, ptr %x
  %a = getelementptr double, ptr addrspace(3) @memory, i32 %lane
  store double %v, ptr addrspace(3) %a
  %f = getelementptr i32, ptr addrspace(3) %flags, i32 %lane
  %flag = load i32, ptr addrspace(3) %f
  %b = getelementptr double, ptr addrspace(3) @memory, i32 %flag
  %w = load double, ptr addrspace(3) %b
  store double %w, ptr %y
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @__kd_autodiff(...)
define ptx_kernel void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (...) @__kd_autodiff(ptr @copied, metadata !"kd_dup", ptr %x, ptr %dx)
  call void (...) @__kd_autodiff(ptr @used, metadata !"kd_dup", ptr %x, ptr %dx, metadata !"kd_dup", ptr %y, ptr %dy)
  ret void
}
