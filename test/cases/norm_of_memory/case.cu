#ifndef REAL
#define REAL float
#endif
typedef REAL real;

__device__ float length(int n, const float *p) { return normf(n, p); }
__device__ double length(int n, const double *p) { return norm(n, p); }
__device__ float inverse(int n, const float *p) { return rnormf(n, p); }
__device__ double inverse(int n, const double *p) { return rnorm(n, p); }

extern "C" __global__ void norms(const real *x, const int *dims, real *out, int n) {
  __shared__ real tile[8];
  int i = threadIdx.x;
  tile[i] = x[i] * x[i];
  __syncthreads();
  if (i >= n) return;
  real own[3] = {x[i], tile[7 - i], x[i + 1]};
  real sum = length(dims[i], x + 3 * i) * x[0] + inverse(3, own);
  for (int k = 1; k <= i % 3; ++k)
    sum += length(k, tile + k) / k;
  out[i] = sum;
}
