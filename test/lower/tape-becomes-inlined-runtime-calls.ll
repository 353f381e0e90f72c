; Tape operations become the runtime's short paths; a page's end is a call.
; RUN: %opt -passes=kdiff-lower -S %s | FileCheck %s

target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK: @__kd_tape_pool = weak {{.*}}addrspace(1) externally_initialized global ptr addrspace(1) null

; CHECK-LABEL: define ptx_kernel void @k(
; CHECK-NOT: alloca
; CHECK-NOT: @kd.
; The size of a record is rounded up to a granule.
; CHECK: call {{.*}}@__kd_tape_grow({{.*}}, i32 {{(noundef )?}}16, ptr addrspace(1) {{(noundef )?}}null)
; CHECK: store double
; CHECK: call {{.*}}@__kd_tape_shrink({{.*}}, i32 {{(noundef )?}}16, ptr addrspace(1) {{(noundef )?}}null)
; CHECK: load double
; CHECK: call {{.*}}@__kd_tape_release(
; CHECK: ret void
define ptx_kernel void @k(ptr %x, ptr %y) #0 {
  %s = alloca { ptr addrspace(1), i32, i32, ptr addrspace(1) }
  call void @kd.tape.open(ptr %s, ptr null)
  %v = load double, ptr %x
  %r = call ptr addrspace(1) @kd.tape.push(ptr %s, i32 13)
  %f = call ptr addrspace(1) @kd.tape.field(ptr %s, ptr addrspace(1) %r, i32 0, i32 8)
  store double %v, ptr addrspace(1) %f
  %e = call i1 @kd.tape.exhausted(ptr %s)
  br i1 %e, label %end, label %reverse

reverse:
  %q = call ptr addrspace(1) @kd.tape.pop(ptr %s, i32 13)
  %g = call ptr addrspace(1) @kd.tape.field(ptr %s, ptr addrspace(1) %q, i32 0, i32 8)
  %w = load double, ptr addrspace(1) %g
  store double %w, ptr %y
  br label %end

end:
  call void @kd.tape.close(ptr %s)
  ret void
}

; CHECK-DAG: define internal {{.*}}@__kd_tape_grow({{.*}} [[ATTR:#[0-9]+]]
; The runtime's functions are the module's: of the same target.
; CHECK-DAG: attributes [[ATTR]] = {{.*}}"target-cpu"="sm_90"
; Its atomics are the device's, not the system's.
; CHECK-NOT: atomicrmw {{.*}}, align {{[0-9]+}} seq_cst

declare void @kd.tape.open(ptr, ptr)
declare void @kd.tape.close(ptr)
declare i1 @kd.tape.exhausted(ptr)
declare ptr addrspace(1) @kd.tape.push(ptr, i32)
declare ptr addrspace(1) @kd.tape.pop(ptr, i32)
declare ptr addrspace(1) @kd.tape.field(ptr, ptr addrspace(1), i32, i32)

attributes #0 = { "target-cpu"="sm_90" }
