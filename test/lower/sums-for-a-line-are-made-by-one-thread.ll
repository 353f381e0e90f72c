; Sums that a thread makes for its row or column of the block: the seeds, which do
; not change in the loop, are put into shared memory once, before it, where all
; threads of the block are there (they are counted); the line's are kept in
; registers. In the loop sixteen products are summed without an exchange, of a row
; by loads that the backend makes vectors of, for which the array is aligned. A sum that is not a number is made
; again with care. The loop has a copy for blocks of other shapes, where threads
; add by loops or, if not all are there, each for itself, an atomic addition a word.
; Two rows of a warp that have the same factors read half of them each, and exchange
; their parts of both sums; so do columns, which have the same seeds.
; Seeds that change are shared where they are used; without room for them nothing
; is shared.
; RUN: %opt -passes='kdiff-lower,default<O2>' -S %s | FileCheck %s
; RUN: sed -e 's/1024 x float/12000 x float/' %s | %opt -passes='kdiff-lower,default<O2>' -S | FileCheck %s --check-prefix=FULL

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @tile = internal {{.*}} align 16
; CHECK-COUNT-4: @kdiff.seeds{{.*}} = internal {{.*}} [1024 x float] poison, align 16
; CHECK-NOT: @kdiff.seeds
; FULL-NOT: @kdiff.seeds
; FULL-NOT: fma
@tile = internal addrspace(3) global [1024 x float] poison, align 4
@shadow = internal addrspace(3) global [256 x float] poison, align 4

; CHECK-LABEL: define ptx_kernel void @row(
; CHECK: call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0
; CHECK: store float %seed, ptr addrspace(3) %{{.*}}
; CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
; CHECK-COUNT-16: load float, ptr addrspace(3)
; CHECK: loop.doubt:
; CHECK: call {{.*}} @_ZL11sumWithCare
; CHECK: atomicrmw fadd
; CHECK: {{^}}loop:
; CHECK-NOT: shfl
; CHECK-NOT: popc
; CHECK-COUNT-4: load float, ptr addrspace(3) %{{.*}}, align 16{{$}}
; CHECK-NOT: align 16
; CHECK: fcmp uno float
; CHECK: call void @use(
define ptx_kernel void @row(ptr addrspace(3) %shadow, i64 %at, float %seed, i32 %n) {
entry:
  %factor = getelementptr float, ptr addrspace(3) @tile, i64 %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %made = call { float, i1 } @kd.accumulate.gathered.f32(i32 12, i1 false, i1 true, i1 false, i1 true, i32 16, i32 1024, i64 4, i64 64, i64 4, ptr addrspace(3) %shadow, ptr addrspace(3) %factor, float %seed)
  %sum = extractvalue { float, i1 } %made, 0
  %was = extractvalue { float, i1 } %made, 1
  call void @use(float %sum, i1 %was)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @column(
; CHECK: {{^}}loop:
; CHECK: load float, ptr addrspace(1)
; CHECK: call i32 @llvm.nvvm.barrier.cta.red.popc.aligned.all(i32 0
; CHECK-COUNT-15: call {{.*}}float @llvm.fma.f32(
define ptx_kernel void @column(ptr addrspace(1) %seeds, i64 %at, i32 %n) {
entry:
  %factor = getelementptr float, ptr addrspace(3) @tile, i64 %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr addrspace(1) %seeds, i32 %i
  %seed = load float, ptr addrspace(1) %p
  %made = call { float, i1 } @kd.accumulate.gathered.f32(i32 8, i1 true, i1 false, i1 false, i1 false, i32 16, i32 1024, i64 64, i64 4, i64 64, ptr addrspace(3) @shadow, ptr addrspace(3) %factor, float %seed)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @rows_of_a_warp(
; CHECK: %[[REST:[0-9]+]] = and i32 %{{.*}}, 1
; CHECK: icmp eq i32 %[[REST]], 0
; CHECK: {{^}}loop:
; CHECK-COUNT-2: load float, ptr addrspace(3) %{{.*}}, align 16{{$}}
; CHECK-NOT: align 16
; CHECK-COUNT-1: @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %{{.*}}, i32 16, i32 31)
; CHECK-NOT: shfl
; CHECK: {{^}}}
define ptx_kernel void @rows_of_a_warp(ptr addrspace(3) %shadow, i64 %at, float %seed, i32 %n) {
entry:
  %factor = getelementptr float, ptr addrspace(3) @tile, i64 %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %made = call { float, i1 } @kd.accumulate.gathered.f32(i32 12, i1 false, i1 true, i1 true, i1 true, i32 16, i32 1024, i64 4, i64 64, i64 4, ptr addrspace(3) %shadow, ptr addrspace(3) %factor, float %seed)
  %sum = extractvalue { float, i1 } %made, 0
  call void @use(float %sum, i1 true)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

; CHECK-LABEL: define ptx_kernel void @columns_of_a_warp(
; CHECK: {{^}}loop:
; CHECK-COUNT-8: load float, ptr addrspace(3) %{{.*}}, align 8{{$}}
; CHECK-NOT: align 8
; CHECK-COUNT-1: @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %{{.*}}, i32 16, i32 31)
; CHECK-NOT: shfl
; CHECK: {{^}}}
define ptx_kernel void @columns_of_a_warp(ptr addrspace(3) %shadow, i64 %at, float %seed, i32 %n) {
entry:
  %factor = getelementptr float, ptr addrspace(3) @tile, i64 %at
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %made = call { float, i1 } @kd.accumulate.gathered.f32(i32 8, i1 true, i1 true, i1 false, i1 true, i32 16, i32 16, i64 64, i64 4, i64 64, ptr addrspace(3) %shadow, ptr addrspace(3) %factor, float %seed)
  %sum = extractvalue { float, i1 } %made, 0
  call void @use(float %sum, i1 true)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %exit
exit:
  ret void
}

declare void @use(float, i1)
declare { float, i1 } @kd.accumulate.gathered.f32(i32, i1, i1, i1, i1, i32, i32, i64, i64, i64, ptr addrspace(3), ptr addrspace(3), float) convergent
