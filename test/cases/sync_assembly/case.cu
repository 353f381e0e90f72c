#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern "C" __global__ void rotate(const real *x, real *y, real one) {
  __shared__ real s[128], q[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t, warp = t / 32;
  s[t] = slow(x[i] * x[i], warp, one);
  asm volatile("bar.sync 0;" ::: "memory");
  real v = s[(t + 37) % 128];
  asm volatile("bar.sync %0, %1;" ::"r"(1), "r"(128) : "memory");
  s[t] = slow(v * x[i], 3 - warp, one);
  asm volatile("barrier.sync 0;" ::: "memory");
  v = s[127 - t];
  q[t] = v * v;
  asm volatile("bar.warp.sync 0xffffffff;" ::: "memory");
  y[i] = q[t ^ 1] * x[i];
}
