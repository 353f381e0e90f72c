#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Nobody wants the sums: the branch has to be taken for their gradient alone.
extern "C" __global__ void branches(const real *__restrict__ x,
                                    const real *__restrict__ w,
                                    const int *__restrict__ first, real *y,
                                    int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  real sum = 0;
  for (int k = first[i]; k < first[i + 1]; ++k) {
    real v = x[k] * w[i], t;
    if (v * v + x[k] * real(0.5) > real(0.25)) {
      t = sin(v) * exp(v);
      t = cos(t) * x[k];
    } else {
      t = v / (1 + v * v);
      t = exp(t) * sin(t + x[k]);
    }
    sum += t * t * w[i];
  }
  y[i] = sum;
}
