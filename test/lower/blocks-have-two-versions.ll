; Code that a doubt decides has a careful version and one for where there is no
; doubt. What others may wait at has one version, and so has code with few
; decisions, the careful one.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: define void @several(
; CHECK-NOT: kd.doubt
; CHECK: br i1 %{{.*}}, label %[[CAREFUL:.*]], label %[[PLAIN:.*]]
; CHECK: {{^}}[[PLAIN]]:
; CHECK: and i1 false
; CHECK: and i1 false
; CHECK-NOT: and i1
; CHECK: {{^}}[[BEHIND:.*]]:
; CHECK: phi float
; CHECK: call void @wait()
; CHECK: and i1 true
; CHECK: {{^}}[[CAREFUL]]:
; CHECK: and i1 true
; CHECK: and i1 true
; CHECK: br label %[[BEHIND]]
define void @several(ptr addrspace(1) %p, float %a, float %b) {
  %big = fcmp ueq float %a, 0x7FF0000000000000
  %doubt = call i1 @kd.doubt(i1 %big)
  %z1 = fcmp oeq float %b, 0.0
  %c1 = and i1 %doubt, %z1
  %f1 = select i1 %c1, float 0.0, float %a
  %m1 = fmul float %b, %f1
  %z2 = fcmp oeq float %m1, 0.0
  %c2 = and i1 %doubt, %z2
  %f2 = select i1 %c2, float 0.0, float %a
  %m2 = fmul float %m1, %f2
  %f3 = select i1 %c2, float 0.0, float %b
  %m3 = fmul float %m1, %f3
  %sum = fadd float %m2, %m3
  call void @wait()
  %z4 = fcmp oeq float %sum, 0.0
  %c4 = and i1 %doubt, %z4
  %f4 = select i1 %c4, float 0.0, float %a
  %m4 = fmul float %sum, %f4
  store float %m4, ptr addrspace(1) %p
  ret void
}

; Two doubts of a block, as of copies of a loop's body, are one where the second
; can be decided at the first; not where it depends on that, or on memory that is
; written in between.
; CHECK-LABEL: define void @united(
; CHECK: %[[ANY:.*]] = or i1
; CHECK: br i1 %[[ANY]],
; CHECK-NOT: br i1
; CHECK: ret void
define void @united(ptr addrspace(1) %p, float %a, float %b) {
  %big = fcmp ueq float %a, 0x7FF0000000000000
  %doubt = call i1 @kd.doubt(i1 %big)
  %z1 = fcmp oeq float %b, 0.0
  %c1 = and i1 %doubt, %z1
  %f1 = select i1 %c1, float 0.0, float %a
  %m1 = fmul float %b, %f1
  %c = load float, ptr addrspace(1) %p
  %other = fcmp ueq float %c, 0x7FF0000000000000
  %doubt2 = call i1 @kd.doubt(i1 %other)
  %z2 = fcmp oeq float %m1, 0.0
  %c2 = and i1 %doubt2, %z2
  %f2 = select i1 %c2, float 0.0, float %a
  %m2 = fmul float %m1, %f2
  %f3 = select i1 %c2, float 0.0, float %c
  %m3 = fmul float %m1, %f3
  %sum = fadd float %m2, %m3
  store float %sum, ptr addrspace(1) %p
  ret void
}

; CHECK-LABEL: define void @apart(
; CHECK: br i1 %big,
; CHECK: fcmp ueq
; CHECK: br i1
define void @apart(ptr addrspace(1) %p, float %a, float %b) {
  %big = fcmp ueq float %a, 0x7FF0000000000000
  %doubt = call i1 @kd.doubt(i1 %big)
  %z1 = fcmp oeq float %b, 0.0
  %c1 = and i1 %doubt, %z1
  %f1 = select i1 %c1, float 0.0, float %a
  %m1 = fmul float %b, %f1
  %f2 = select i1 %c1, float 0.0, float %b
  %m2 = fmul float %m1, %f2
  %f3 = select i1 %c1, float 1.0, float %b
  %m3 = fmul float %m2, %f3
  store float %m3, ptr addrspace(1) %p
  %q = getelementptr float, ptr addrspace(1) %p, i64 1
  %c = load float, ptr addrspace(1) %q
  %other = fcmp ueq float %c, 0x7FF0000000000000
  %doubt2 = call i1 @kd.doubt(i1 %other)
  %z2 = fcmp oeq float %m1, 0.0
  %c2 = and i1 %doubt2, %z2
  %f4 = select i1 %c2, float 0.0, float %a
  %m4 = fmul float %m1, %f4
  %f5 = select i1 %c2, float 0.0, float %c
  %m5 = fmul float %m4, %f5
  %f6 = select i1 %c2, float 1.0, float %c
  %m6 = fmul float %m5, %f6
  store float %m6, ptr addrspace(1) %q
  ret void
}

declare i1 @kd.doubt(i1) #0
declare void @wait() #1
attributes #0 = { nounwind memory(none) }
attributes #1 = { convergent }
