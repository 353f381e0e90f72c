#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern "C" __global__ void mix(const real *x, real *y, real one) {
  int i = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  real v = slow(x[i], warp, one);
  for (int k = 0; k <= warp; ++k) {
    for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(~0u, v, d);
    v /= 32;
    real up = __shfl_up_sync(~0u, v, 1, 16);
    real any = __shfl_sync(~0u, v, lane * 3 + warp);
    v = up * any + __shfl_xor_sync(~0u, v, 5);
  }
  y[i] = v * x[i];
}
