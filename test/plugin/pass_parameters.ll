; Parameters of the pass, and what is said of wrong ones.
; RUN: %opt -passes='kdiff<stop-after=request>' -S %s | FileCheck %s --check-prefix=STOP
; RUN: %opt -passes='kdiff<stop-after=request;libdevice=%libdevice>' -S %s | FileCheck %s --check-prefix=STOP
; RUN: env KDIFF_STOP_AFTER=request %opt -passes='default<O1>' -S %s | FileCheck %s --check-prefix=STOP
; RUN: not %opt -passes='kdiff<stop-after=never>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=WRONG
; RUN: not %opt -passes='kdiff<libdevice>' -disable-output %s 2>&1 | FileCheck %s --check-prefix=WRONG

; STOP: call float {{.*}}@__kd_autodiff(ptr {{.*}}@f, float
; WRONG: error: invalid parameter '{{stop-after=never|libdevice}}' of pass kdiff: known are stop-after=request|prepare|

target triple = "nvptx64-nvidia-cuda"
declare float @__kd_autodiff(ptr, float)
define float @f(float %x) {
  ret float %x
}
define float @request(float %x) {
  %r = call float @__kd_autodiff(ptr @f, float %x)
  ret float %r
}
