#include <cuda_pipeline.h>
#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern "C" __global__ void stream(const real *x, real *y, int tiles, real one) {
  __shared__ real s[2][128];
  int t = threadIdx.x, warp = t / 32;
  const real *from = x + blockIdx.x * tiles * 128 + t;
  __pipeline_memcpy_async(&s[0][t], from, sizeof(real));
  __pipeline_commit();
  real sum = 0;
  for (int k = 0; k < tiles; ++k) {
    if (k + 1 < tiles)
      __pipeline_memcpy_async(&s[(k + 1) % 2][t], from + (k + 1) * 128, sizeof(real));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += slow(s[k % 2][127 - t], warp + k, one) * s[k % 2][t] * (k + 1);
    __syncthreads();
  }
  y[blockIdx.x * 128 + t] = sum;
}
