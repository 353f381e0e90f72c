#ifndef REAL
#define REAL float
#endif

extern "C" __global__ void k(const REAL *__restrict__ u, REAL *__restrict__ out,
                             int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int at = i + (i >> 2);
  out[i] = u[at] * u[at + 1] + u[at + 2] * u[at + 2];
}
