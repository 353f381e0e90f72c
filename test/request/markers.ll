; A marker is a load of a global variable of its name, the variable's address,
; or metadata; Enzyme's spellings mean the same; names may be mangled.
; RUN: %opt -passes='print<kdiff-request>' -disable-output %s 2>&1 | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

@kd_dup = external addrspace(1) global i32
@_ZN5kdiff8kd_constE = external addrspace(1) global i32
@_ZL10enzyme_out = internal addrspace(1) global i32 0
@enzyme_dupnoneed = external global i32

define void @f(ptr %x, ptr %y, i32 %n, float %a) {
  store float %a, ptr %x
  ret void
}
define void @g(ptr %x, float %a) {
  store float %a, ptr %x
  ret void
}

declare float @_Z13__kd_autodiffIfJPvEET_DpT0_(ptr, i32, ptr, ptr, i32, ptr, ptr, i32, i32, i32, float)
declare void @__enzyme_autodiff(ptr, ...)
declare void @_Z16__enzyme_fwddiffIvJPvEET_DpT0_(ptr, ptr, ptr, ptr, i32, float, float)

; CHECK-LABEL: reverse of f in loads
; CHECK-NEXT: 1 'x' dup: ptr %x, shadow ptr %dx
; CHECK-NEXT: 2 'y' dupnoneed: ptr %y, shadow ptr %dy
; CHECK-NEXT: 3 'n' const: i32 3
; CHECK-NEXT: 4 'a' out: float 2.000000e+00
define void @loads(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  %dup = load i32, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr)
  %noneed = load i32, ptr @enzyme_dupnoneed
  %const = load i32, ptr addrspacecast (ptr addrspace(1) @_ZN5kdiff8kd_constE to ptr)
  %out = load i32, ptr addrspace(1) @_ZL10enzyme_out
  %r = call float @_Z13__kd_autodiffIfJPvEET_DpT0_(ptr @f, i32 %dup, ptr %x, ptr %dx, i32 %noneed, ptr %y, ptr %dy, i32 %const, i32 3, i32 %out, float 2.0)
  ret void
}

; CHECK-LABEL: reverse of g in metadata_and_address
; CHECK-NEXT: 1 'x' dup: ptr %x, shadow ptr %dx
; CHECK-NEXT: 2 'a' acc: float 1.000000e+00, shadow ptr %da
define void @metadata_and_address(ptr %x, ptr %dx, ptr %da) {
  call void (ptr, ...) @__enzyme_autodiff(ptr @g, ptr addrspace(1) @kd_dup, ptr %x, ptr %dx, metadata !"kd_acc", float 1.0, ptr %da)
  ret void
}

; CHECK-LABEL: forward of g in forward
; CHECK-NEXT: 1 'x' dup: ptr %x, shadow ptr %dx
; CHECK-NEXT: 2 'a' dup: float 1.000000e+00, shadow float 2.000000e+00
define void @forward(ptr %x, ptr %dx) {
  %dup = load i32, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr)
  call void @_Z16__enzyme_fwddiffIvJPvEET_DpT0_(ptr @g, ptr addrspacecast (ptr addrspace(1) @kd_dup to ptr), ptr %x, ptr %dx, i32 %dup, float 1.0, float 2.0)
  ret void
}
