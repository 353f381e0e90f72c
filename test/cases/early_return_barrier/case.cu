#ifndef REAL
#define REAL float
#endif
// The last block has threads that return before the others wait for each other.
extern "C" __global__ void early(const REAL *x, REAL *y, const REAL *w, REAL a, int steps, int n) {
  __shared__ REAL s[64];
  int t = threadIdx.x, i = blockIdx.x * 64 + t;
  if (i >= n)
    return;
  s[t] = x[i];
  __syncthreads();
  REAL v = s[t] * s[t > 0 ? t - 1 : 0];
  for (int k = 0; k < steps; k++) {
    v = v * v * REAL(0.5) + a;
    __syncthreads();
    s[t] = v;
    __syncthreads();
    v += REAL(0.25) * s[t / 2];
  }
  y[i] = w[0] * v + w[1] * x[i];
}
