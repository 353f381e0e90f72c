#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

// Sums within segments, each of which begins where a flag is set. Both arrays are carved from one block, and have two
// halves that take turns.
extern "C" __global__ void scan(const real *x, const int *flag, real *y, int n, real one) {
  extern __shared__ double memory[];
  real *v = (real *)memory;
  int *f = (int *)(v + 2 * blockDim.x);
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t, now = 0;
  v[t] = slow(i < n ? x[i] * x[i] : real(0), t / 32, one);
  f[t] = i < n ? flag[i] : 1;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int from = now * blockDim.x + t, to = (now ^ 1) * blockDim.x + t;
    real sum = v[from];
    int begins = f[from];
    if (t >= d) {
      if (!begins) sum += v[from - d];
      begins |= f[from - d];
    }
    v[to] = sum;
    f[to] = begins;
    now ^= 1;
    __syncthreads();
  }
  if (i < n) y[i] = v[now * blockDim.x + t] * x[i];
}
