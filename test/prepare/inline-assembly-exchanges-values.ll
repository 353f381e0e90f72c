; Warp operations, barriers that reduce and additions by atomics in inline
; assembly are those of IR. A predicate that comes with a shuffle follows from
; its operands, and a statement that it guards becomes a selection.
; RUN: %opt -passes='print<kdiff-prepared>' -disable-output %s 2>&1 | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define internal void @guarded.kdiff(
; CHECK: %[[S:.*]] = call i32 @llvm.nvvm.shfl.sync.up.i32(i32 -1, i32 %{{.*}}, i32 %n, i32 0)
; CHECK: call i32 @llvm.nvvm.read.ptx.sreg.laneid()
; CHECK: %[[P:.*]] = icmp sge i32
; CHECK: %[[T:.*]] = bitcast i32 %[[S]] to float
; CHECK: %[[SUM:.*]] = call float asm "add.f32 $0, $1, $2;", "=f,f,f"(float %[[T]], float %v)
; CHECK: select i1 %[[P]], float %[[SUM]], float %[[T]]
; CHECK: %[[D:.*]] = call i32 @llvm.nvvm.shfl.sync.down.i32(
; CHECK: %[[Q:.*]] = icmp sle i32
; CHECK: %[[NOT:.*]] = xor i1 %[[Q]], true
; CHECK: select i1 %[[NOT]], float
; CHECK: ret void
define ptx_kernel void @guarded(ptr %p, float %v, i32 %n) {
  %r = call float asm sideeffect "{ .reg .f32 r; .reg .pred p; shfl.sync.up.b32 r|p, $1, $2, 0x0, 0xffffffff; @p add.f32 r, r, $1; mov.f32 $0, r; }", "=f,f,r"(float %v, i32 %n)
  %s = call float asm sideeffect "{ .reg .b32 t; .reg .pred p; shfl.sync.down.b32 t|p, $1, 3, 0x1f, 0xffffffff; @!p mul.f32 $0, t, t; }", "=f,f,0"(float %r, float %r)
  store float %s, ptr %p
  ret void
}

; CHECK-LABEL: define internal void @votes.kdiff(
; CHECK: call i32 @llvm.nvvm.activemask()
; CHECK: call i32 @llvm.nvvm.vote.ballot.sync(i32 %{{.*}}, i1 %{{.*}})
; CHECK: %[[NOT:.*]] = xor i1 %{{.*}}, true
; CHECK: call i1 @llvm.nvvm.vote.any.sync(i32 %{{.*}}, i1 %[[NOT]])
; CHECK: call i32 @llvm.nvvm.match.any.sync.i32(i32 -1, i32 %n)
; CHECK: call { i32, i1 } @llvm.nvvm.match.all.sync.i64p(i32 -1, i64 %w)
; CHECK: call i32 @llvm.nvvm.redux.sync.umax(i32 %n, i32 -1)
; CHECK: call i32 @llvm.nvvm.redux.sync.min(i32 %n, i32 -1)
; CHECK: call { i32, i1 } @llvm.nvvm.elect.sync(i32 -1)
; CHECK-NOT: asm
; CHECK: ret void
define ptx_kernel void @votes(ptr %p, float %v, i32 %n, i64 %w) {
  %a = call i32 asm sideeffect "activemask.b32 $0;", "=r"()
  %b = call i32 asm sideeffect "{ .reg .pred p, q; setp.gt.f32 p, $1, 0f00000000; vote.sync.ballot.b32 $0, p, $2; vote.sync.any.pred q, !p, $2; selp.b32 $0, $0, 0, q; }", "=r,f,r"(float %v, i32 %a)
  %c = call i32 asm sideeffect "match.any.sync.b32 $0, $1, 0xffffffff;", "=r,r"(i32 %n)
  %d = call i32 asm sideeffect "{ .reg .pred p; match.all.sync.b64 $0|p, $1, 0xffffffff; }", "=r,l"(i64 %w)
  %e = call i32 asm sideeffect "redux.sync.max.u32 $0, $1, 0xffffffff;", "=r,r"(i32 %n)
  %f = call i32 asm sideeffect "redux.sync.min.s32 $0, $1, 0xffffffff;", "=r,r"(i32 %n)
  %g = call i32 asm sideeffect "{ .reg .pred p; elect.sync _|p, 0xffffffff; mov.b32 $0, 0; @p mov.b32 $0, 1; }", "=r"()
  %ab = add i32 %a, %b
  %cd = add i32 %c, %d
  %ef = add i32 %e, %f
  %abcd = add i32 %ab, %cd
  %efg = add i32 %ef, %g
  %all = add i32 %abcd, %efg
  store i32 %all, ptr %p
  ret void
}

; CHECK-LABEL: define internal void @barriers.kdiff(
; CHECK: call i32 @llvm.nvvm.barrier.cta.red.popc.count(i32 1, i32 64, i1 %{{.*}})
; CHECK: call i1 @llvm.nvvm.barrier.cta.red.or.aligned.all(i32 0, i1 %{{.*}})
; CHECK: call i1 @llvm.nvvm.barrier.cta.red.and.aligned.all(i32 2, i1 %{{.*}})
; CHECK-NOT: asm
; CHECK: ret void
define ptx_kernel void @barriers(ptr %p, float %v) {
  %n = call i32 asm sideeffect "{ .reg .pred p; setp.gt.f32 p, $1, 0f00000000; barrier.red.popc.u32 $0, 1, 64, p; }", "=r,f,~{memory}"(float %v)
  %m = call i32 asm sideeffect "{ .reg .pred p, q; setp.lt.f32 p, $1, 0f00000000; bar.red.or.pred q, 0, p; barrier.cta.red.and.aligned.pred p, 2, !p; selp.b32 $0, 1, 0, q; @p mov.b32 $0, 2; }", "=r,f,~{memory}"(float %v)
  %nm = add i32 %n, %m
  store i32 %nm, ptr %p
  ret void
}

; CHECK-LABEL: define internal void @additions.kdiff(
; CHECK: atomicrmw fadd ptr addrspace(1) %{{.*}}, <2 x half> %{{.*}} syncscope("device") monotonic
; CHECK: atomicrmw fadd ptr addrspace(1) %{{.*}}, float %v syncscope("block") monotonic
; CHECK: atomicrmw fadd ptr addrspace(1) %{{.*}}, float %v monotonic
; CHECK-NOT: asm
; CHECK: ret void
define ptx_kernel void @additions(ptr %p, float %v, i32 %n) {
  %old = call i32 asm sideeffect "{ atom.add.noftz.f16x2 $0,[$1],$2; }", "=r,l,r,~{memory}"(ptr %p, i32 %n)
  call void asm sideeffect "red.relaxed.cta.global.add.f32 [$0+4], $1;", "l,f,~{memory}"(ptr %p, float %v)
  %f = call float asm sideeffect "atom.sys.add.f32 $0, [$1+8], $2;", "=f,l,f,~{memory}"(ptr %p, float %v)
  ret void
}

; What is not known to its end stays as it is.
; CHECK-LABEL: define internal void @unknown.kdiff(
; CHECK-NEXT: call i32 asm sideeffect "{ .reg .pred p; setp.gt.f32
; CHECK-NEXT: call i32 asm sideeffect "{ .reg .pred p; setp.gt.f32
; CHECK-NOT: vote
; CHECK: ret void
define ptx_kernel void @unknown(i32 %n, float %v) {
  %a = call i32 asm sideeffect "{ .reg .pred p; setp.gt.f32 p, $1, 0f00000000; vote.sync.ballot.b32 $0, p, -1; frobnicate.b32 $0, $0; }", "=r,f"(float %v)
  %b = call i32 asm sideeffect "{ .reg .pred p; setp.gt.f32 p, $1, 0f00000000; @p shfl.sync.idx.b32 $0, $2, 0, 31, -1; }", "=r,f,r"(float %v, i32 %n)
  ret void
}

declare void @__kd_autodiff(...)
define void @request(ptr %p, ptr %d, float %v, i32 %n, i64 %w) {
  call void (...) @__kd_autodiff(ptr @guarded, metadata !"kd_dup", ptr %p, ptr %d, metadata !"kd_const", float %v, i32 %n)
  call void (...) @__kd_autodiff(ptr @votes, metadata !"kd_const", ptr %p, metadata !"kd_const", float %v, i32 %n, i64 %w)
  call void (...) @__kd_autodiff(ptr @barriers, metadata !"kd_const", ptr %p, metadata !"kd_const", float %v)
  call void (...) @__kd_autodiff(ptr @additions, metadata !"kd_dup", ptr %p, ptr %d, metadata !"kd_const", float %v, i32 %n)
  call void (...) @__kd_autodiff(ptr @unknown, i32 %n, metadata !"kd_const", float %v)
  ret void
}
