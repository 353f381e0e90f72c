#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void saxpy(real a, const real *x, real *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = a * x[i] + y[i];
}

__global__ void cube(const float *x, float *y) {
  int i = threadIdx.x;
  y[i] = x[i] * x[i] * x[i];
}
