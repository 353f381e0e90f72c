#ifndef REAL
#define REAL float
#endif
typedef REAL real;
// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

// How many threads of the half block have a positive value.
__device__ static int countPositive(float v, int barrier) {
  int n;
  asm volatile("{ .reg .pred p;\n"
               "  setp.gt.f32 p, %1, 0f00000000;\n"
               "  barrier.red.popc.u32 %0, %2, 64, p; }"
               : "=r"(n)
               : "f"(v), "r"(barrier)
               : "memory");
  return n;
}
extern "C" __global__ void halves(const real *x, real *y, real one) {
  __shared__ real s[128];
  int t = threadIdx.x, i = blockIdx.x * 128 + t, half = t / 64, warp = t / 32;
  s[t] = slow(x[i] * x[i], warp, one);
  asm volatile("bar.sync %0, 64;" ::"r"(half + 1) : "memory");
  real v = s[half * 64 + 63 - t % 64];
  asm volatile("barrier.sync %0, 64;" ::"r"(half + 1) : "memory");
  s[t] = slow(v * x[i], 3 - warp, one);
  int n = countPositive(float(x[i]), half + 1);
  v *= s[half * 64 + (t + 41) % 64] * n;
  __syncthreads();
  s[t] = v;
  __syncwarp(t % 32 < 8 ? 0xffu : 0xffffff00u);
  y[i] = v * s[t ^ 3] / 64;
}
