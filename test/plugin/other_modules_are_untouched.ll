; A module for another target is left alone, whatever it calls.
; RUN: %opt -passes=kdiff -S %s | FileCheck %s
; RUN: %opt -passes='print<kdiff-request>' -disable-output %s 2>&1 | count 0

target triple = "x86_64-pc-linux-gnu"
declare float @__kd_autodiff(ptr, ...)
; CHECK: call float (ptr, ...) @__kd_autodiff(ptr null)
define float @f() {
  %r = call float (ptr, ...) @__kd_autodiff(ptr null)
  ret float %r
}
