#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// What an outer iteration loads and computes is used in the inner loop, which
// may leave both loops at once. Trip counts differ between threads.
extern "C" __global__ void windows(const real *x, const real *w,
                                   const int *first, const int *last,
                                   const int *stop, real *y, int groups,
                                   int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  real sum = 0;
  for (int g = i % 3; g < groups; ++g) {
    real root = sqrt(w[(g + i) % groups]), scale = root / (1 + w[g]);
    for (int k = first[g]; k < last[g] + i % 2; ++k) {
      sum += scale * sin(x[k] * root) + real(0.125) * sum * scale;
      if (stop[i] == k)
        goto out;
    }
    sum *= root;
  }
out:
  y[i] = sum;
}
