#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void walk(real *xs, real *ys, const real *__restrict__ table, const int *steps, int n) {
  int i = threadIdx.x;
  if (i >= n || i % 11 == 3)
    return;
  real x = xs[i], y = ys[i];
  int k = i;
  for (int s = 0; s < steps[i]; ++s) {
    real c = table[k % 8];
    real next = x + real(0.0625) * sin(y) * c;
    y = y - real(0.0625) * x + real(0.03125) * c;
    x = next;
    k = (k * 5 + 3) & 1023;
  }
  xs[i] = x;
  ys[i] = y;
}
