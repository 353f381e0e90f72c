#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern "C" __global__ void add(const real *x, real *y, real *z, real one) {
  __shared__ real bins[4];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (t < 4) bins[t] = 0;
  __syncthreads();
  atomicAdd_block(&bins[t * 7 % 4], slow(x[i] * x[i], t / 32, one));
  __syncthreads();
  real v = bins[t % 4] * x[i];
  real old = atomicAdd_system(z, x[i] * x[i] * x[i]);
  atomicAdd(z + 1, 2 * x[i]);
  y[i] = old > real(1e30) ? real(0) : v;
}
