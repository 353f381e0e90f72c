// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static float slow(float v, int warp, float one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

__device__ static void add(float *p, float v) {
  int *q = (int *)p, old = *q, seen;
  do {
    seen = old;
    old = atomicCAS(q, seen, __float_as_int(v + __int_as_float(seen)));
  } while (seen != old);
}
__device__ static void subtract(float *p, float v) {
  int *q = (int *)p, old = *q;
  while (true) {
    int seen = old;
    old = atomicCAS(q, seen, __float_as_int(__int_as_float(seen) - v));
    if (old == seen) break;
  }
}
extern "C" __global__ void mean(const float *x, float *y, float one) {
  __shared__ float squares, less;
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (t == 0) squares = less = 0;
  __syncthreads();
  add(&squares, slow(x[i] * x[i] / 128, t / 32, one));
  subtract(&less, x[i] / 128);
  __syncthreads();
  y[i] = squares * x[i] + less;
}
