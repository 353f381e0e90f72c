// A jump out of two loops, whose selector is a phi of the join that it selects.
extern "C" __global__ void uni(const double *w, const double *x, double *y,
                               int m) {
  double s = 0, v = x[threadIdx.x];
#pragma unroll
  for (int k = 0; k < 2; k++)
    s += w[k] * v;
  for (int k = 0; k < m; k++) {
    s += w[41] * v;
    for (int j = 0; j < k; j++) {
      s += w[42] * w[43];
      if (j == 3)
        goto out;
    }
  }
out:
  y[threadIdx.x] = s * w[50];
}
