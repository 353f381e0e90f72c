//===- replaced_sine.cu - Another function within differentiated code -----===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how is a function replaced within differentiated
// code alone, by one with a derivative of its own? It prints each value beside
// that by hand; exit status 1 if one differs.
//
//   clang++ -x cuda -std=c++17 --cuda-gpu-arch=sm_90 --no-offload-new-driver
//     -fpass-plugin=.../libKDiff.so replaced_sine.cu -lcudart
//
// -DCUBE=0.2 makes another polynomial.
//
//===----------------------------------------------------------------------===//

#include <cmath>
#include <cstdio>
#include <kdiff/kdiff.h>

#ifndef CUBE
#define CUBE (1.0 / 6)
#endif

/// In the place of sin(x), with the derivative 1 - 3 CUBE x^2.
__host__ __device__ double cubic(double x) { return x - CUBE * x * x * x; }
__device__ double cubicAndSave(double *saved, double x) {
  *saved = 3 * CUBE * x * x;
  return cubic(x);
}
__device__ void cubicBack(const double *saved, double adjoint, double,
                          double *dx) {
  *dx += adjoint * (1 - *saved);
}
KDIFF_REVERSE_RULE(cubic, double, cubicAndSave, cubicBack)
KDIFF_REPLACE(static_cast<double (*)(double)>(sin), cubic)

__device__ double deep(double x) { return sin(x); }
__device__ double deeper(double x) { return deep(2 * x); }
__device__ __noinline__ double deepest(double x) { return 3 * deeper(x); }

__global__ void wave(const double *x, double *y) { *y = deepest(*x); }
__global__ void other(const double *x, double *y) { *y = deepest(*x); }

static int Failures = 0;

static void expect(const char *What, const double *At, double Wanted) {
  double Is;
  cudaMemcpy(&Is, At, sizeof Is, cudaMemcpyDeviceToHost);
  bool Right = std::fabs(Is - Wanted) < 1e-12;
  Failures += !Right;
  std::printf("%s = %.15g, by hand %.15g%s\n", What, Is, Wanted,
              Right ? "" : "  WRONG");
}

int main() {
  const double X = 0.4, Host[] = {X, 0, 0, 1}; // x, dx, y, dy
  double *D;
  cudaMalloc(&D, sizeof Host);
  cudaMemcpy(D, Host, sizeof Host, cudaMemcpyHostToDevice);
  kdiff::TapePool Pool(1 << 20, 1); // For what the rule saves.
  kdiff::gradient<wave>(1, 1, 0, nullptr, &Pool)(kdiff::dup(D, D + 1),
                                                 kdiff::dup(D + 2, D + 3));
  expect("differentiated, y", D + 2, 3 * cubic(2 * X));
  expect("differentiated, dy/dx", D + 1, 6 * (1 - 3 * CUBE * 4 * X * X));
  other<<<1, 1>>>(D, D + 2);
  expect("another kernel's y", D + 2, 3 * std::sin(2 * X));
  cudaFree(D);
  std::printf("%d wrong\n", Failures);
  return Failures != 0;
}
