// The plugin runs at every optimisation level, also where functions are marked
// optnone; the compiled device code makes no request any more.
// RUN: %clang_cuda_plugin -O0 -S %s -o - | FileCheck %s
// RUN: %clang_cuda_plugin -O1 -S %s -o - | FileCheck %s
// RUN: %clang_cuda_plugin -O2 -S %s -o - | FileCheck %s
// RUN: %clang_cuda_plugin -O3 -S %s -o - | FileCheck %s

#include <kdiff/kdiff.h>

__global__ void square(const float *X, float *Y) {
  int I = threadIdx.x;
  Y[I] = X[I] * X[I];
}
template <auto K, class... A> __global__ void grad(A... Args) {
  __kd_autodiff<void>((void *)K, Args...);
}
template __global__ void grad<square>(float *, float *, float *, float *);

// CHECK: .visible .entry {{.*}}grad{{.*}}square
// CHECK-NOT: __kd_autodiff
// CHECK: {{(atom|red)}}{{.*}}add{{.*}}f32
// CHECK-NOT: __kd_autodiff
