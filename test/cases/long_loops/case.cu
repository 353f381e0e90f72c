#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Each thread with its own number of steps, known before the loop.
extern "C" __global__ void counted(const real *x, const real *a,
                                   const int *steps, real *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  real p = x[i], q = a[i];
  for (int k = 0; k < steps[i]; ++k) {
    real slope = sin(p * q);
    q += real(0.002) * p * p - real(0.001) * q;
    p -= real(0.003) * slope;
  }
  y[i] = p + q;
}

// Until an array says that it is enough.
extern "C" __global__ void until(const real *x, const real *__restrict__ a,
                                 const int *__restrict__ stop,
                                 real *__restrict__ z, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  real p = x[i];
  int k = i;
  while (stop[k] == 0) {
    p += real(0.005) * cos(p) * a[k % n];
    ++k;
  }
  z[i] = p * p;
}
