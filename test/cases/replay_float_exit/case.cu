#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void climb(const real *xs, real *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  real x = xs[i];
  int k = 0, most = i % 13 + 1;
  while (true) {
    x = x + real(0.125) * cos(x) + real(0.0625);
    if (x > real(1.5)) {
      x = x * x;
      break;
    }
    if (++k == most)
      break;
    x = x * real(1.0625);
  }
  out[i] = x * real(k + 1);
}
