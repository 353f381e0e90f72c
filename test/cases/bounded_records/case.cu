#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void bounded(const real *xs, real *out, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  real s = xs[i], t = 0;
  for (int r = 0; r < min(i, 3); ++r) {
    int most = min((i * 3 + r) % 23, 20);
    for (int j = 0; j < most; ++j) {
      if (s * s > real(0.3) + real(0.02) * j)
        s = s * real(0.75) - real(0.01) * j;
      else
        s = s * s + real(0.25);
      t += sin(s);
    }
    s = s + t * real(0.125);
  }
  out[i] = t * s;
}
