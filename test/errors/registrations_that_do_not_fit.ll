; What a registration gets wrong is said at the first request.
; RUN: split-file %s %t
; RUN: cat %t/module.ll %t/augmented.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/augmented.ll
; RUN: cat %t/module.ll %t/reverse.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/reverse.ll
; RUN: cat %t/module.ll %t/tangent.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/tangent.ll
; RUN: cat %t/module.ll %t/twice.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/twice.ll
; RUN: cat %t/module.ll %t/replacement.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/replacement.ll
; RUN: cat %t/module.ll %t/bodiless.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/bodiless.ll
; RUN: cat %t/module.ll %t/pointer.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/pointer.ll
; RUN: cat %t/module.ll %t/short.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/short.ll
; RUN: cat %t/module.ll %t/byvalue.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/byvalue.ll
; RUN: cat %t/module.ll %t/large.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/large.ll
; RUN: cat %t/module.ll %t/nofunction.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/nofunction.ll
; RUN: cat %t/module.ll %t/smallshadow.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/smallshadow.ll
; RUN: cat %t/module.ll %t/constantshadow.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/constantshadow.ll
; RUN: cat %t/module.ll %t/novariable.ll | not %opt -passes=kdiff -disable-output 2>&1 | FileCheck %t/novariable.ll

;--- module.ll
target triple = "nvptx64-nvidia-cuda"
@table = addrspace(4) constant [4 x double] zeroinitializer
@other = addrspace(1) global [4 x double] zeroinitializer
@small = addrspace(1) global [2 x double] zeroinitializer
declare double @declared(double)
define double @f(double %x) {
  ret double %x
}
define double @g(double %x) {
  ret double %x
}
define double @a(ptr %saved, double %x) {
  ret double %x
}
define double @s(ptr byval({ double }) %p) {
  ret double 1.0
}
declare double @__kd_autodiff(ptr, double)
define double @request() {
  %r = call double @__kd_autodiff(ptr @f, double 1.0)
  ret double %r
}

;--- augmented.ll
; CHECK: the registration '__kd_reverse_rule_0': the augmented function g must have the type double (ptr, double), but has double (double)
@__kd_reverse_rule_0 = constant [4 x ptr] [ptr @f, ptr @g, ptr @g, ptr null]

;--- reverse.ll
; CHECK: the registration '__kd_reverse_rule_0': the reverse function a must have the type void (ptr, double, double, ptr), but has double (ptr, double)
@__kd_reverse_rule_0 = constant [4 x ptr] [ptr @f, ptr @a, ptr @a, ptr null]

;--- tangent.ll
; CHECK: the registration '__kd_forward_rule_0': the tangent function g must have the type double (ptr, double, double), but has double (double)
@__kd_forward_rule_0 = constant [2 x ptr] [ptr @f, ptr @g]

;--- twice.ll
; CHECK: the registration '__kd_inactive_1': another registration says already what f is
@__kd_inactive_0 = constant [1 x ptr] [ptr @f]
@__kd_inactive_1 = constant [1 x ptr] [ptr @f]

;--- replacement.ll
; CHECK: the registration '__kd_replace_0': the replacing function a must have the type double (double), but has double (ptr, double)
@__kd_replace_0 = constant [2 x ptr] [ptr @f, ptr @a]

;--- bodiless.ll
; CHECK: the registration '__kd_replace_0': the replacement declared has no body
@__kd_replace_0 = constant [2 x ptr] [ptr @f, ptr @declared]

;--- pointer.ll
; CHECK: the registration '__kd_replace_0': the replacement by may call f through a function pointer; call it by its name there
@__kd_replace_0 = constant [2 x ptr] [ptr @f, ptr @by]
define double @caller(ptr %function, double %x) {
  %r = call double %function(double %x)
  ret double %r
}
define double @indirect(double %x) {
  %r = call double @caller(ptr @f, double %x)
  ret double %r
}
define double @by(double %x) {
  %r = call double @indirect(double %x)
  ret double %r
}

;--- short.ll
; CHECK: the registration '__kd_reverse_rule_0': it must be three functions
@__kd_reverse_rule_0 = constant [2 x ptr] [ptr @f, ptr @a]

;--- byvalue.ll
; CHECK: the registration '__kd_reverse_rule_0': s takes or returns a structure by value; pass its address
@__kd_reverse_rule_0 = constant [4 x ptr] [ptr @s, ptr @a, ptr @a, ptr null]

;--- large.ll
; CHECK: the registration '__kd_reverse_rule_0': it saves 4096 bytes, and a record of the tape has room for 1008
@__kd_reverse_rule_0 = constant [4 x ptr] [ptr @f, ptr @a, ptr @a, ptr inttoptr (i64 4096 to ptr)]

;--- nofunction.ll
; CHECK: the registration '__kd_inactive_0': every entry must be a function
@__kd_inactive_0 = constant [1 x ptr] [ptr null]

;--- smallshadow.ll
; CHECK: the registration '__kd_shadow_0': 'small' is not as large as 'table', whose shadow it is to be
@__kd_shadow_0 = constant [2 x ptr] [ptr addrspacecast (ptr addrspace(4) @table to ptr), ptr addrspacecast (ptr addrspace(1) @small to ptr)]

;--- constantshadow.ll
; CHECK: the registration '__kd_shadow_0': the shadow 'table' must be a __device__ variable
@__kd_shadow_0 = constant [2 x ptr] [ptr addrspacecast (ptr addrspace(1) @other to ptr), ptr addrspacecast (ptr addrspace(4) @table to ptr)]

;--- novariable.ll
; CHECK: the registration '__kd_shadow_0': it must be the addresses of a device variable
@__kd_shadow_0 = constant [2 x ptr] [ptr @f, ptr @f]
