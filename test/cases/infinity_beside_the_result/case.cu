#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Where keep is 0, p goes to infinity and its adjoint is zero.
extern "C" __global__ void escape(const real *__restrict__ x,
                                  const real *__restrict__ a,
                                  const int *__restrict__ keep,
                                  real *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  real p = x[i], w = x[i] * a[2] + 1;
  for (int k = 0; k < 11; ++k) {
    real f = p * w;
    w = w + real(0.0625) * w * a[0];
    p = p * p + a[1] * f;
  }
  y[i] = keep[i] ? p + w : w;
}
