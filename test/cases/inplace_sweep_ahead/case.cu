#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Each row is overwritten from the left while the element ahead is read.
extern "C" __global__ void sweep(real *__restrict__ x, real *__restrict__ y, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  real *row = x + r * n;
  real s = 0;
  for (int i = 0; i + 1 < n; ++i) {
    real ahead = row[i + 1];
    s += ahead * ahead * ahead;
    row[i] = s;
  }
  y[r] = s;
}
