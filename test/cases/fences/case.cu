#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern "C" __global__ void fenced(const real *x, real *y, real *z, int *count, real one) {
  __shared__ real s[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  s[t] = slow(x[i] * x[i], t / 32, one);
  __threadfence_block();
  __syncthreads();
  y[i] = s[(t + 64) % 128] * x[i];
  atomicAdd(z, x[i]);
  __threadfence();
  if (atomicAdd(count, 1) == 2 * 128 - 1) {
    atomicExch(count, 0);
    __threadfence_system();
  }
}
