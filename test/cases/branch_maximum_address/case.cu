#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}
__device__ static void raise(float *p, float v) { atomicMax((int *)p, __float_as_int(v)); }
__device__ static void raise(double *p, double v) { atomicMax((long long *)p, __double_as_longlong(v)); }

// Each warp has a word of its own, whose address is computed where it is used.
extern "C" __global__ void peaks(const real *x, real *y, int n, real one) {
  __shared__ real most[8];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (t < 8) most[t] = real(0.0625) * t;
  __syncthreads();
  real v = slow(i < n ? x[i] * x[i] : real(0), t / 32, one);
  if (i < n && t % 3 != 1) raise(&most[(t / 32 * 2 + t % 2) & 7], v);
  __syncthreads();
  real s = 0;
  for (int k = 0; k < 8; ++k) s += most[k] * (k + t % 2);
  if (i < n) y[i] = s * x[i];
}
