#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern "C" __global__ void votes(const real *x, real *y, real one) {
  __shared__ real s[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t, warp = t / 32;
  int count = __syncthreads_count(x[i] > 0);
  s[t] = slow(x[i] * x[i], warp, one);
  bool any = __syncthreads_or(x[i] > real(1.9));
  real v = slow(s[127 - t], 3 - warp, one);
  bool all = __syncthreads_and(x[i] > real(-1.9));
  y[i] = v * x[i] * (count + (any ? 100 : 0) + (all ? 1000 : 0));
}
