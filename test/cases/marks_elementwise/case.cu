#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void pairs(const real *a, const real *b, real *y, real *z,
                                 int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    real u = a[i], v = b[i];
    y[i] = sin(u) * v;
    z[i] = u * u * v;
  }
}
