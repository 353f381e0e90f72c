#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Where keep is 0, the cube is infinite and its adjoint is zero: in some of the
// iterations that all threads make together.
extern "C" __global__ void cubes(const real *__restrict__ x,
                                 const real *__restrict__ w,
                                 const int *__restrict__ keep,
                                 real *__restrict__ y, int n, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  real sum = 0;
  for (int j = 0; j < count; ++j) {
    real p = w[j] * x[i], q = p * p, cube = q * p;
    real f = cube * cube - x[i] * cube;
    sum += keep[j] ? f : p - x[i];
  }
  y[i] = sum;
}
