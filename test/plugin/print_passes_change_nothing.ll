; The print passes work on a copy: what follows sees the module as it was.
; RUN: %opt -passes='print<kdiff-request>,print<kdiff-prepared>,print<kdiff-activity>,print<kdiff-plan>' -S %s -o %t.printed 2>/dev/null
; RUN: %opt -passes=verify -S %s -o %t.plain
; RUN: cmp %t.printed %t.plain

target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
define float @f(float %x) {
  %r = fmul float %x, %x
  ret float %r
}
define float @request(float %x) {
  %p = alloca ptr
  store ptr @f, ptr %p
  %f = load ptr, ptr %p
  %r = call float @__kd_autodiff(ptr %f, float %x)
  ret float %r
}
