#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern __shared__ double memory[];
__device__ __noinline__ static real fetch(int t) {
  double *squares = memory;
  float *triples = (float *)(squares + 128);
  int *where = (int *)(triples + 128);
  return real(squares[where[t]]) * triples[127 - t];
}
extern "C" __global__ void carve(const real *x, real *y, real one) {
  double *squares = memory;
  float *triples = (float *)(squares + 128);
  int *where = (int *)(triples + 128);
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  squares[t] = slow(x[i] * x[i], t / 32, one);
  triples[t] = 3 * x[i];
  where[t] = (t * 5 + blockIdx.x) % 128;
  __syncthreads();
  y[i] = fetch(t) + x[i];
}
