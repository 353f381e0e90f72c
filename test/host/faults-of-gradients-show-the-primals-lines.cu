// What a gradient does wrong, because its primal does, is reported with the
// primal's lines and functions; none of KDiff's own are among them.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt KDIFF_CHECKS=1 %t 2>&1 | FileCheck %s --implicit-check-not=gradient.h
#include <cstdio>
#include <kdiff/kdiff.h>

__device__ double neighbour(const double *x, int i) {
  return x[i + 1];
}
__global__ void k(const double *x, double *y) {
  y[threadIdx.x] = neighbour(x, threadIdx.x) * x[threadIdx.x];
}

int main() {
  double *x, *dx, *y, *dy;
  for (double **p : {&x, &dx, &y, &dy}) {
    cudaMalloc(p, 32 * sizeof(double));
    cudaMemset(*p, 0, 32 * sizeof(double));
  }
  // CHECK: kdiff: kernel '{{.*}}derivative{{.*}}out-of-bounds read of 8 bytes{{.*}}lines.cu:10, inlined at {{[^ ]*}}lines.cu:13
  // CHECK: the gradient of k cannot be launched
  try {
    kdiff::gradient<k>(1, 32)(kdiff::dup(x, dx), kdiff::dup(y, dy));
  } catch (const kdiff::LaunchError &e) {
    std::printf("%s\n", e.what());
  }
}
