; What the thread behind would add to the own word is computed here, where there is
; such a thread; what this one would add to that of the thread in front is left to
; it, where there is one. An address that is not known to be the own word is
; compared, on both sides.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @proven
; CHECK: %[[USUAL:.*]] = icmp {{.*}}ult i64 %{{.*}}, 1073741825
; CHECK: %[[I:index.*]] = add i32
; CHECK: %[[SIZE:size.*]] = mul i32
; CHECK: add:
; CHECK: %[[J:.*]] = add i32 %[[I]], -1
; CHECK: %[[IN:.*]] = icmp sgt i32 %[[J]], -1
; CHECK: %[[EXISTS:.*]] = and i1 %[[USUAL]], %[[IN]]
; CHECK: br i1 %[[EXISTS]], label %{{.*}}, label %[[HERE:.*]]
; CHECK: [[HERE]]:
; CHECK: atomicrmw fadd
; CHECK: %[[NEXT:.*]] = add {{.*}}i32 %[[I]], 1
; CHECK: %[[IN:.*]] = icmp slt i32 %[[NEXT]], %[[SIZE]]
; CHECK: %[[EXISTS:.*]] = and i1 %[[USUAL]], %[[IN]]
; CHECK: br i1 %[[EXISTS]],
; CHECK: icmp slt i32 %[[NEXT]], %n
; CHECK: load float
; CHECK: fmul float
; CHECK: atomicrmw fadd
; CHECK-NOT: atomicrmw
; CHECK: ret void
define ptx_kernel void @proven(ptr addrspace(1) %d, ptr addrspace(1) %s, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %size, %b
  %i = add i32 %t, %start
  %in = icmp slt i32 %i, %n
  br i1 %in, label %add, label %done
add:
  %p = getelementptr float, ptr addrspace(1) %s, i32 %i
  %v = load float, ptr addrspace(1) %p
  %v2 = fmul float %v, %v
  %j = sub nsw i32 %i, 1
  %q = getelementptr float, ptr addrspace(1) %d, i32 %j
  call void @kd.stencil.add.f32.p1(i32 0, ptr addrspace(1) %q, float %v2, i32 -1, i32 0, i32 0)
  br label %done
done:
  %own = getelementptr float, ptr addrspace(1) %d, i32 %i
  call void @kd.stencil.end.f32.p1(i32 0, ptr addrspace(1) %own, float 0.0)
  ret void
}

; CHECK-LABEL: @compared
; CHECK: %[[HALF:.*]] = and i32 %[[I:index.*]], -2
; CHECK: %[[J:.*]] = add i32 %[[I]], -1
; CHECK: %[[OWN:.*]] = icmp eq i32 %[[HALF]], %[[J]]
; CHECK: atomicrmw fadd
; CHECK: %[[NEXT:.*]] = add {{.*}}i32 %[[I]], 1
; CHECK: %[[HALF:.*]] = and i32 %[[NEXT]], -2
; CHECK: %[[OWN:.*]] = icmp eq {{.*}}[[HALF]]
; CHECK: select i1 %[[OWN]], float %{{.*}}, float -0.0
; CHECK: atomicrmw fadd
define ptx_kernel void @compared(ptr addrspace(1) %d, ptr addrspace(1) %s, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %size, %b
  %i = add i32 %t, %start
  %in = icmp slt i32 %i, %n
  br i1 %in, label %add, label %done
add:
  %p = getelementptr float, ptr addrspace(1) %s, i32 %i
  %v = load float, ptr addrspace(1) %p
  %half = and i32 %i, -2
  %q = getelementptr float, ptr addrspace(1) %d, i32 %half
  call void @kd.stencil.add.f32.p1(i32 0, ptr addrspace(1) %q, float %v, i32 -1, i32 0, i32 0)
  br label %done
done:
  %own = getelementptr float, ptr addrspace(1) %d, i32 %i
  call void @kd.stencil.end.f32.p1(i32 0, ptr addrspace(1) %own, float 0.0)
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare void @kd.stencil.add.f32.p1(i32, ptr addrspace(1), float, i32, i32, i32)
declare void @kd.stencil.end.f32.p1(i32, ptr addrspace(1), float)
