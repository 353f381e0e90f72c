// A step whose own tape is smaller than copies of what it reads keeps the tape;
// one whose copies are smaller is run again.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt %t | FileCheck %s
#include <cstdio>
#include <kdiff/kdiff.h>

__global__ void square(double *x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  x[i] *= x[i];
}

static const int n = 32768; // 256 KiB; a pool has two pages of 64 KiB at least.

static void run(const char *what, int threads) {
  double *x, *dx, *host = new double[n];
  for (int i = 0; i != n; ++i)
    host[i] = 2;
  cudaMalloc(&x, n * sizeof(double));
  cudaMalloc(&dx, n * sizeof(double));
  cudaMemcpy(x, host, n * sizeof(double), cudaMemcpyHostToDevice);
  for (int i = 0; i != n; ++i)
    host[i] = 1;
  cudaMemcpy(dx, host, n * sizeof(double), cudaMemcpyHostToDevice);
  kdiff::Tape t;
  for (int i = 0; i != 3; ++i)
    t.launch<square>(threads / 32, 32)(kdiff::dup(x, dx));
  std::printf("%s: %zu bytes of copies\n", what, t.keptBytes());
  t.backward();
  t.check();
  cudaMemcpy(host, dx, n * sizeof(double), cudaMemcpyDeviceToHost);
  std::printf("dx: %g, %g\n", host[0], host[n - 1]);
  delete[] host;
  cudaFree(x);
  cudaFree(dx);
}

int main() {
  run("one warp", 32);
  // CHECK: one warp: 0 bytes of copies
  // CHECK-NEXT: dx: 1024, 1
  run("all", n);
  // CHECK-NEXT: all: 786432 bytes of copies
  // CHECK-NEXT: dx: 1024, 1024
}
