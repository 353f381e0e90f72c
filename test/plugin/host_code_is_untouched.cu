// The host's side of a compilation is the same with and without the plugin,
// also where a host function has the name of a request.
// RUN: %clang_cuda_host -O2 -S -emit-llvm %s -o %t.with.ll
// RUN: %clang -x cuda --cuda-path=%cuda -Wno-unknown-cuda-version -I%cuda/include/cccl -I%include --cuda-host-only -O2 -S -emit-llvm %s -o %t.without.ll
// RUN: cmp %t.with.ll %t.without.ll
// RUN: FileCheck %s < %t.with.ll

extern "C" float __kd_autodiff(void *, float);
float host(float X) { return X * X; }
float request(float X) { return __kd_autodiff((void *)host, X); }
// CHECK: call {{.*}} @__kd_autodiff(
