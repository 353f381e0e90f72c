; A word that several sides of branches read is read once in front of them, where one
; of the conditions holds; one that two read, where each is. Sides that a number
; tells apart, which conditions choose, are told by these.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @sides
; CHECK-DAG: %[[A:.*]] = icmp slt i32 %a, 7
; CHECK-DAG: %[[B:.*]] = icmp slt i32 %b, 7
; CHECK-DAG: %[[C:.*]] = icmp slt i32 %c, 7
; CHECK: %[[ANY:.*]] = or i1
; CHECK: br i1 %[[ANY]],
; CHECK: %[[ONCE:.*]] = load float, ptr addrspace(1) %{{.*}}
; CHECK: %[[KNOWN:.*]] = phi float [ poison, %{{.*}} ], [ %[[ONCE]], %{{.*}} ]
; CHECK: fmul float %[[KNOWN]], 2.0
; CHECK: fmul float %[[KNOWN]], 3.0
; CHECK: getelementptr {{.*}} %k
; CHECK: fmul float %[[KNOWN]], 5.0
; CHECK: getelementptr {{.*}} %k
; CHECK-LABEL: @chosen
; CHECK-NOT: switch
; CHECK: ret void
define ptx_kernel void @sides(ptr addrspace(1) %d, ptr addrspace(1) %s, ptr addrspace(1) %k, i32 %a, i32 %b, i32 %c) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bl = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %size, %bl
  %i = add i32 %t, %start
  %left = sub i32 %i, 1
  %q = getelementptr float, ptr addrspace(1) %d, i32 %left
  %if.a = icmp slt i32 %a, 7
  br i1 %if.a, label %side.a, label %then.b
side.a:
  %p.a = getelementptr inbounds float, ptr addrspace(1) %s, i32 %i
  %v.a = load float, ptr addrspace(1) %p.a
  %m.a = fmul float %v.a, 2.0
  call void @kd.stencil.add.f32.p1(i32 0, ptr addrspace(1) %q, float %m.a, i32 -1, i32 0, i32 0)
  br label %then.b
then.b:
  %if.b = icmp slt i32 %b, 7
  br i1 %if.b, label %side.b, label %then.c
side.b:
  %p.b = getelementptr inbounds float, ptr addrspace(1) %s, i32 %i
  %v.b = load float, ptr addrspace(1) %p.b
  %p.k = getelementptr inbounds float, ptr addrspace(1) %k, i32 %i
  %v.k = load float, ptr addrspace(1) %p.k
  %m.b = fmul float %v.b, 3.0
  %m.k = fmul float %m.b, %v.k
  call void @kd.stencil.add.f32.p1(i32 0, ptr addrspace(1) %q, float %m.k, i32 -1, i32 0, i32 0)
  br label %then.c
then.c:
  %if.c = icmp slt i32 %c, 7
  br i1 %if.c, label %side.c, label %done
side.c:
  %p.c = getelementptr inbounds float, ptr addrspace(1) %s, i32 %i
  %v.c = load float, ptr addrspace(1) %p.c
  %p.k2 = getelementptr inbounds float, ptr addrspace(1) %k, i32 %i
  %v.k2 = load float, ptr addrspace(1) %p.k2
  %m.c = fmul float %v.c, 5.0
  %m.k2 = fmul float %m.c, %v.k2
  call void @kd.stencil.add.f32.p1(i32 0, ptr addrspace(1) %q, float %m.k2, i32 -1, i32 0, i32 0)
  br label %done
done:
  %own = getelementptr float, ptr addrspace(1) %d, i32 %i
  call void @kd.stencil.end.f32.p1(i32 0, ptr addrspace(1) %own, float 0.0)
  ret void
}

define ptx_kernel void @chosen(ptr addrspace(1) %d, ptr addrspace(1) %s, i1 %one, i1 %two) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %start = mul i32 %size, %b
  %i = add i32 %t, %start
  %p = getelementptr float, ptr addrspace(1) %s, i32 %i
  %v = load float, ptr addrspace(1) %p
  %inner = select i1 %two, i8 2, i8 1
  %ran = select i1 %one, i8 0, i8 %inner
  switch i8 %ran, label %done [
    i8 1, label %left
    i8 2, label %right
  ]
left:
  %j = sub nsw i32 %i, 1
  %q = getelementptr float, ptr addrspace(1) %d, i32 %j
  call void @kd.stencil.add.f32.p1(i32 0, ptr addrspace(1) %q, float %v, i32 -1, i32 0, i32 0)
  br label %done
right:
  %k = add nsw i32 %i, 1
  %r = getelementptr float, ptr addrspace(1) %d, i32 %k
  call void @kd.stencil.add.f32.p1(i32 0, ptr addrspace(1) %r, float %v, i32 1, i32 0, i32 0)
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
