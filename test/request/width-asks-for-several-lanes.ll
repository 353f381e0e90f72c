; kd_width N, in front of the arguments: N shadows follow each value that has
; one, and N adjoints or tangents are returned.
; RUN: %opt -passes='print<kdiff-request>' -disable-output %s 2>&1 | FileCheck %s

target triple = "nvptx64-nvidia-cuda"

%Lanes = type { [2 x float] }
%Both = type { [2 x float], double, double }
declare %Lanes @__kd_fwddiff.lanes(...)
declare %Both @__kd_autodiff.both(...)
declare void @__enzyme_autodiff(...)
declare void @__kd_augment(...)
@enzyme_width = external addrspace(1) global i32

define float @f(float %a, i32 %n, double %b) {
  ret float %a
}
define void @g(ptr %x, float %a) {
  store float %a, ptr %x
  ret void
}

; CHECK: forward of f in request, width 2
; CHECK-NEXT: 1 'a' dup: float 1.0{{.*}}, shadow float 2.0{{.*}}, shadow float 3.0
; CHECK-NEXT: 2 'n' const: i32 7
; CHECK-NEXT: 3 'b' const: double
; CHECK: reverse of f in request, width 2
; CHECK-NEXT: 1 'a' out: float
; CHECK: reverse of g in request, width 3
; CHECK-NEXT: 1 'x' dup: ptr %x, shadow ptr %p, shadow ptr %q, shadow ptr %r
; CHECK-NEXT: 2 'a' acc: float 1.0{{.*}}, shadow ptr %p, shadow ptr %q, shadow ptr %r
; CHECK: augmented primal of g in request, width 2
; CHECK: reverse of g in request{{$}}
define void @request(ptr %x, ptr %p, ptr %q, ptr %r, ptr %tape) {
  call %Lanes (...) @__kd_fwddiff.lanes(ptr @f, metadata !"kd_width", i32 2, float 1.0, float 2.0, float 3.0, i32 7, metadata !"kd_const", double 1.0)
  call %Both (...) @__kd_autodiff.both(ptr @f, metadata !"kd_width", i32 2, float 1.0, i32 7, double 1.0)
  %m = load i32, ptr addrspace(1) @enzyme_width
  call void (...) @__enzyme_autodiff(ptr @g, i32 %m, i64 3, ptr %x, ptr %p, ptr %q, ptr %r, metadata !"kd_acc", float 1.0, ptr %p, ptr %q, ptr %r)
  call void (...) @__kd_augment(ptr @g, ptr %tape, metadata !"kd_width", i32 2, ptr %x, ptr %p, ptr %q, metadata !"kd_const", float 1.0)
  call void (...) @__enzyme_autodiff(ptr @g, metadata !"kd_width", i32 1, ptr %x, ptr %p, metadata !"kd_const", float 1.0)
  ret void
}
