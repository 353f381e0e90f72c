// A kernel whose maxima are in global memory is differentiated by a tape that
// is asked to split it; each maximum's winner gets the derivative, also where
// later steps overwrite the maximum and what it was taken of.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt %t | FileCheck %s
// RUN: not %clang_program -DCHEAPER %s -o %t.cheaper %link_program 2>&1 | FileCheck %s --check-prefix=CHEAPER
// CHEAPER: an atomic maximum or minimum of differentiated values, whose winner nobody knows
// CHEAPER: split mode (kdiff::Reversal::Split on a kdiff::Tape, else __kd_augment and __kd_reverse)
#include <cstdio>
#include <kdiff/kdiff.h>
#include <vector>

#ifdef CHEAPER
constexpr kdiff::Reversal How = kdiff::Reversal::Cheaper;
#else
constexpr kdiff::Reversal How = kdiff::Reversal::Split;
#endif

__global__ void peak(const float *x, float *m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicMax((int *)m, __float_as_int(x[i] * x[i]));
}
__global__ void add(const float *m, float *y, float weight) {
  *y += weight * *m;
}
__global__ void lower(float *x, const float *m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && x[i] * x[i] == *m)
    x[i] *= 0.5f;
}

static const int n = 300;

static float *device(std::vector<float> values) {
  float *p;
  size_t bytes = values.size() * sizeof(float);
  cudaMalloc(&p, bytes);
  cudaMemcpy(p, values.data(), bytes, cudaMemcpyHostToDevice);
  return p;
}

int main() {
  // The peaks are 4, 3, and 2, half of the first: y = 16 + 2 * 9 + 3 * 4.
  std::vector<float> host(n, 1);
  host[7] = 4;
  host[290] = 3;
  float *x = device(host), *dx = device(std::vector<float>(n, 0));
  float *m = device({0}), *dm = device({0});
  float *y = device({0}), *dy = device({1});
  kdiff::Tape tape;
  for (int i = 0; i != 3; ++i) {
    tape.fill(kdiff::dup(m, dm), 0, 1);
    tape.launch<peak, How>(3, 128)(kdiff::dup(x, dx), kdiff::dup(m, dm), n);
    tape.launch<add>(1, 1)(kdiff::dup(m, dm), kdiff::dup(y, dy), i + 1.0f);
    tape.launch<lower>(3, 128)(kdiff::dup(x, dx), m, n);
  }
  tape.backward();
  tape.check();
  float result;
  cudaMemcpy(&result, y, sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(host.data(), dx, n * sizeof(float), cudaMemcpyDeviceToHost);
  // CHECK: y: 46
  std::printf("y: %g\n", result);
  // 2 * 4, and 3 * (2 * 2) * 0.5 of the third; 2 * (2 * 3).
  // CHECK-NEXT: dx[7]: 14
  // CHECK-NEXT: dx[290]: 12
  // CHECK-NOT: dx
  for (int i = 0; i != n; ++i)
    if (host[i] != 0)
      std::printf("dx[%d]: %g\n", i, host[i]);
}
