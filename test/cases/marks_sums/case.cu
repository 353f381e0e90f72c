#ifndef REAL
#define REAL float
#endif
typedef REAL real;


extern "C" __global__ void sums(const real *x, const int *bin, real *histogram,
                                real *total) {
  __shared__ real part[32];
  int t = threadIdx.x, i = blockIdx.x * 32 + t;
  real v = x[i] * x[i];
  atomicAdd(&histogram[bin[i]], v * x[i]);
  part[t] = v;
  __syncthreads();
  for (int h = 16; h > 0; h >>= 1) {
    if (t < h)
      part[t] += part[t + h];
    __syncthreads();
  }
  if (t == 0)
    total[blockIdx.x] = part[0];
}
