#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 40; ++k) v *= one;
  return v;
}

// Of numbers that are at least zero.
__device__ static void raise(float *p, float v) { atomicMax((int *)p, __float_as_int(v)); }
__device__ static void raise(double *p, double v) { atomicMax((long long *)p, __double_as_longlong(v)); }

__device__ static void lower(float *p, float v) {
  int *q = (int *)p, old = *q, seen;
  do {
    seen = old;
    old = atomicCAS(q, seen, __float_as_int(fminf(__int_as_float(seen), v)));
  } while (seen != old);
}
__device__ static void lower(double *p, double v) {
  auto *q = (unsigned long long *)p;
  unsigned long long old = *q, seen;
  do {
    seen = old;
    old = atomicCAS(q, seen, __double_as_longlong(fmin(__longlong_as_double(seen), v)));
  } while (seen != old);
}

// Of numbers of either sign, by the order of their bits.
__device__ static void raiseSigned(float *p, float v) {
  if (v >= 0)
    atomicMax((int *)p, __float_as_int(v));
  else
    atomicMin((unsigned *)p, __float_as_uint(v));
}
__device__ static void raiseSigned(double *p, double v) {
  if (v >= 0)
    atomicMax((long long *)p, __double_as_longlong(v));
  else
    atomicMin((unsigned long long *)p, (unsigned long long)__double_as_longlong(v));
}

extern "C" __global__ void find(const real *x, const int *part, real *most, real *least, real *top, real shift, int n,
                                real one) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int p = part[i];
    real v = slow(x[i] * x[i], threadIdx.x / 32, one);
    raise(&most[p], v);
    lower(&least[p % 3], x[i] * v);
    raiseSigned(&top[i % 2], x[i] - shift);
  }
}

// Uses what was found, and starts again from other numbers.
extern "C" __global__ void use(real *most, real *least, real *top, real *y) {
  int p = threadIdx.x;
  y[p] += most[p] * least[p % 3] + top[p % 2] * most[p];
  __syncthreads();
  most[p] = real(0.125) * p;
  if (p < 3) least[p] = 8;
  if (p < 2) top[p] = -8;
}
