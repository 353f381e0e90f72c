// What the executor finds is printed, and reported by the calls that follow, as
// a card does.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt %t 2>&1 | FileCheck %s --check-prefix=UNCHECKED
// RUN: env KDIFF_DEVICE=simt KDIFF_CHECKS=1 %t 2>&1 | FileCheck %s
#include <cstdio>

__global__ void reverse(int *x) {
  int y = x[31 - threadIdx.x];
  x[threadIdx.x] = y;
}

int main() {
  int *x;
  cudaMalloc(&x, 32 * sizeof(int));
  cudaMemset(x, 0, 32 * sizeof(int));
  reverse<<<1, 32>>>(x);
  // UNCHECKED: cudaSuccess
  // CHECK: kdiff: kernel '_Z7reversePi'
  // CHECK: race
  // CHECK: faults-of-kernels-are-errors.cu:10
  // CHECK: cudaErrorLaunchFailure
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  // CHECK: cudaErrorLaunchFailure
  std::printf("%s\n", cudaGetErrorName(cudaMalloc(&x, 8)));
}
