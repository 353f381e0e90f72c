; C's variadic promotion and the types of literals are undone where that is
; exact.
; RUN: %opt -passes='print<kdiff-request>' -disable-output %s 2>&1 | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

declare void @__kd_autodiff(ptr, ...)
define void @f(ptr %x, float %a, float %b, i8 %c, i64 %n, double %d, half %h) {
  store float %a, ptr %x
  ret void
}

; CHECK-LABEL: reverse of f in request
; CHECK-NEXT: 1 'x' const: ptr %
; CHECK-NEXT: 2 'a' const: float %a
; CHECK-NEXT: 3 'b' const: float 5.000000e-01
; CHECK-NEXT: 4 'c' const: i8 %c
; CHECK-NEXT: 5 'n' const: i64 7
; CHECK-NEXT: 6 'd' const: double %
; CHECK-NEXT: 7 'h' const: half
define void @request(ptr addrspace(1) %x, float %a, i8 %c) {
  %wide = fpext float %a to double
  %int = sext i8 %c to i32
  call void (ptr, ...) @__kd_autodiff(ptr @f, metadata !"kd_const", ptr addrspace(1) %x, metadata !"kd_const", double %wide, metadata !"kd_const", double 0.5, i32 %int, i32 7, metadata !"kd_const", float %a, metadata !"kd_const", double 0.25)
  ret void
}
