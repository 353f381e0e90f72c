#ifndef REAL
#define REAL float
#endif
typedef REAL real;

__device__ static void raise(float *p, float v) { atomicMax((int *)p, __float_as_int(v)); }
__device__ static void raise(double *p, double v) { atomicMax((long long *)p, __double_as_longlong(v)); }

// Every number comes several times, in threads of several warps and blocks.
extern "C" __global__ void peak(const real *__restrict__ x, real *__restrict__ m, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) raise(&m[i % 2], x[i] * x[i]);
}
