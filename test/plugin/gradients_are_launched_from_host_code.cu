// kdiff::gradient<K> and kdiff::tangent<K> launch kernels that hold the
// derivative of K, at every level of optimisation; the host side compiles too.
// RUN: %clang_cuda_plugin -std=c++17 -O0 -S %s -o - | FileCheck %s
// RUN: %clang_cuda_plugin -std=c++17 -O3 -S %s -o - | FileCheck %s
// RUN: %clang_cuda_host -std=c++17 -fsyntax-only %s
// RUN: %clang_cuda_plugin -std=c++17 -O2 -S -o /dev/null \
// RUN:   %include/../examples/host_gradient.cu
#include <kdiff/gradient.h>

struct Weights {
  float a, b;
};
__global__ void k(const float *x, float *y, float s, Weights w, long n) {
  if (threadIdx.x < n)
    y[threadIdx.x] = w.a * x[threadIdx.x] * s + w.b;
}

// CHECK-DAG: .entry {{.*}}derivative{{.*}}DerivativeModeE0
// CHECK-DAG: .entry {{.*}}derivative{{.*}}DerivativeModeE1
// CHECK-DAG: {{red|atom}}.global{{.*}}add.f32
// CHECK-NOT: kd_
void host(float *x, float *dx, float *y, float *dy, float *ds, Weights w,
          Weights *dw, cudaStream_t stream) {
  kdiff::gradient<k>(1, 32, 0, stream)(kdiff::dup(x, dx), kdiff::noneed(y, dy),
                                       kdiff::acc(2.0f, ds), kdiff::dup(w, dw),
                                       32);
  kdiff::tangent<k>(1, 32)(kdiff::dup(x, dx), kdiff::dup(y, dy),
                           kdiff::dup(2.0f, 1.0f), w, 32);
}
