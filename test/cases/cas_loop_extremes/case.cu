// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static double slow(double v, int warp, double one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}
__device__ static void raise(double *p, double v) {
  auto *q = (unsigned long long *)p;
  unsigned long long old = *q, seen;
  do {
    seen = old;
    old = atomicCAS(q, seen, __double_as_longlong(fmax(v, __longlong_as_double(seen))));
  } while (old != seen);
}
__device__ static void lower(float *p, float v) {
  int *q = (int *)p, old = *q, seen;
  do {
    seen = old;
    old = atomicCAS(q, seen, __float_as_int(fminf(__int_as_float(seen), v)));
  } while (seen != old);
}
__device__ static void add(float *p, float v) {
  unsigned *q = (unsigned *)p, old = *q, seen;
  do {
    seen = old;
    old = atomicCAS(q, seen, __float_as_uint(__uint_as_float(seen) + v));
  } while (seen != old);
}

extern "C" __global__ void extremes(const double *x, double *y, float *sums, double one) {
  __shared__ double most;
  __shared__ float least;
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (t == 0) {
    most = -1e300;
    least = 1e30f;
  }
  __syncthreads();
  double v = slow(x[i] * x[i], t / 32, one);
  raise(&most, v);
  lower(&least, float(x[i]));
  __syncthreads();
  add(&sums[t % 3], float(v));
  y[i] = most * x[i] + least * v;
}
