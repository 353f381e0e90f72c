extern "C" __global__ void jump(const double *x, double *y) {
  y[0] = x[0] < 1 ? x[0] : x[0] + 5;
}
