#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Places that an integer leads to which is halved (towards zero), shifted with
// and without its sign, and doubled, for more iterations than it has bits.
extern "C" __global__ void places(const real *x, const int *starts, real *y,
                                  int trips, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int quotient = starts[i], shifted = starts[i], twice = starts[i] | 1;
  unsigned bits = starts[i];
  real sum = 0;
  for (int k = 0; k < trips; ++k) {
    sum += x[(quotient & 15)] * x[16 + (shifted & 15)];
    sum += x[32 + (bits & 15)] * x[48 + (twice & 15)];
    quotient /= 2;
    shifted >>= 3;
    bits >>= 2;
    twice = int(unsigned(twice) * 2);
  }
  y[i] = sum;
}
