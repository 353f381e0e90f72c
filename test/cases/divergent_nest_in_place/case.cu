#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void nest(real *all, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  real *a = all + i * 6;
  for (int r = 0; r < i % 5 + (i % 7 ? 1 : 0); ++r) {
    for (int j = 0; j < (i + r) % 6; ++j) {
      real z = a[j];
      if (z > 0)
        z = z * z * real(0.5) + real(0.25);
      else
        z = real(0.5) * z - real(0.125);
      switch ((i + j + r) % 3) {
      case 0:
        z = sin(z);
        break;
      case 1:
        z = z * z;
        break;
      default:
        z = z + a[(j + 1) % 6];
      }
      a[j] = z;
      if (z > real(0.9))
        return;
    }
    a[r % 6] = a[r % 6] * a[r % 6] + real(0.0625);
  }
}
