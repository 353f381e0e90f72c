; Behind emit: what is wrong with an abstract operation.
; RUN: split-file %s %t
; RUN: not %opt -passes='kdiff-lint<emit>' -disable-output %t/kind.ll 2>&1 | FileCheck %t/kind.ll
; RUN: not %opt -passes='kdiff-lint<emit>' -disable-output %t/record.ll 2>&1 | FileCheck %t/record.ll
; RUN: not %opt -passes='kdiff-lint<emit>' -disable-output %t/field.ll 2>&1 | FileCheck %t/field.ll
; RUN: not %opt -passes='kdiff-lint<emit>' -disable-output %t/unknown.ll 2>&1 | FileCheck %t/unknown.ll
; RUN: not %opt -passes='kdiff-lint<emit>' -disable-output %t/open.ll 2>&1 | FileCheck %t/open.ll
; RUN: %opt -passes='kdiff-lint<emit>' -disable-output %t/good.ll 2>&1 | count 0
; RUN: not %opt -passes='kdiff-lint<plan>' -disable-output %t/good.ll 2>&1 | FileCheck %t/good.ll

;--- kind.ll
target triple = "nvptx64-nvidia-cuda"
declare void @kd.accumulate.f32.p0(ptr, float, i32)
; CHECK: error: {{.*}}fault of KDiff: unknown kind of accumulation, kd.accumulate.f32.p0
define void @f(ptr %p) {
  call void @kd.accumulate.f32.p0(ptr %p, float 1.0, i32 77)
  ret void
}

;--- record.ll
target triple = "nvptx64-nvidia-cuda"
declare ptr addrspace(1) @kd.tape.push(ptr, i32)
; CHECK: error: {{.*}}fault of KDiff: size of a record out of range, kd.tape.push
define void @f(ptr %state) {
  call ptr addrspace(1) @kd.tape.push(ptr %state, i32 1000000)
  ret void
}

;--- field.ll
target triple = "nvptx64-nvidia-cuda"
declare ptr addrspace(1) @kd.tape.field(ptr, ptr addrspace(1), i32, i32)
; CHECK: error: {{.*}}fault of KDiff: field of a record out of range or not aligned, kd.tape.field
define void @f(ptr %state, ptr addrspace(1) %record) {
  call ptr addrspace(1) @kd.tape.field(ptr %state, ptr addrspace(1) %record, i32 4, i32 8)
  ret void
}

;--- unknown.ll
target triple = "nvptx64-nvidia-cuda"
declare void @kd.invented()
; CHECK: error: {{.*}}fault of KDiff: unknown abstract operation, kd.invented
define void @f() {
  call void @kd.invented()
  ret void
}

;--- open.ll
target triple = "nvptx64-nvidia-cuda"
declare void @kd.tape.close(ptr)
declare ptr addrspace(1) @kd.tape.push(ptr, i32)
; CHECK: error: {{.*}}fault of KDiff: a tape is used and not opened or not closed
define void @f() {
  %state = alloca [4 x i64]
  call ptr addrspace(1) @kd.tape.push(ptr %state, i32 16)
  call void @kd.tape.close(ptr %state)
  ret void
}

;--- good.ll
target triple = "nvptx64-nvidia-cuda"
declare void @kd.accumulate.f32.p0(ptr, float, i32)
declare void @kd.tape.open(ptr, ptr)
declare void @kd.tape.close(ptr)
declare ptr addrspace(1) @kd.tape.push(ptr, i32)
declare ptr addrspace(1) @kd.tape.field(ptr, ptr addrspace(1), i32, i32)
; CHECK: error: invalid parameter 'plan' of pass kdiff-lint: known are emit and lower
define void @f(ptr %p) {
  %state = alloca [4 x i64]
  call void @kd.tape.open(ptr %state, ptr null)
  %record = call ptr addrspace(1) @kd.tape.push(ptr %state, i32 16)
  call ptr addrspace(1) @kd.tape.field(ptr %state, ptr addrspace(1) %record, i32 8, i32 8)
  call void @kd.accumulate.f32.p0(ptr %p, float 1.0, i32 2)
  call void @kd.tape.close(ptr %state)
  ret void
}
