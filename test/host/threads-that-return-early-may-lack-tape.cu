// Where threads return early in front of a barrier, those that lack tape cannot
// tell the others: they end, nobody waits for them, and the launch is reported.
// REQUIRES: ptxas
// RUN: %clang_program %s -o %t %link_program
// RUN: env KDIFF_DEVICE=simt %t | FileCheck %s
#include <cstdio>
#include <kdiff/kdiff.h>

__global__ void iterate(double *x, int n, int steps) {
  __shared__ double s[64];
  int t = threadIdx.x;
  if (t >= n)
    return;
  double y = x[t];
  for (int i = 0; i < (t < 32 ? 1 : steps); ++i)
    for (int j = 0; j <= i % 2; ++j)
      y = sin(y) + 0.1 * y * y;
  s[t] = y;
  __syncthreads();
  x[t] = y * s[n - 1 - t];
}

int main() {
  double *x, *dx;
  cudaMalloc(&x, 64 * sizeof(double));
  cudaMalloc(&dx, 64 * sizeof(double));
  cudaMemset(x, 0, 64 * sizeof(double));
  cudaMemset(dx, 0, 64 * sizeof(double));
  for (std::size_t bytes : {std::size_t(kdiff::tapePoolBytes(2, 1, false)),
                            std::size_t(16) << 20}) {
    kdiff::TapePool pool(bytes, 64, nullptr, kdiff::OnExhaustion::Note);
    kdiff::gradient<iterate>(1, 64, 0, nullptr, &pool)(kdiff::dup(x, dx), 40,
                                                       20000);
    try {
      pool.check();
      std::printf("enough\n");
    } catch (const kdiff::TapeExhausted &e) {
      std::printf("%s\n", e.what());
    }
  }
  // CHECK: kdiff: the tape's pool of {{[0-9]+}} bytes was exhausted: 8 threads lacked
  // CHECK-NEXT: enough
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
  // CHECK-NEXT: no error
}
