struct Cell {
  double a[3];
  int n;
  double b;
};

extern "C" __global__ void walk(const Cell *cells, double *y, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n) return;
  Cell l = cells[t];
  double r = 0;
  for (int k = 0; k < 3; ++k) {
    l.a[k] *= l.b;
    r += l.a[k] * l.a[(k + 1) % 3];
  }
  for (int k = 0; k < l.n; ++k) {
    l.b = l.b * 0.5 + l.a[k % 3];
    l.a[(k + t) % 3] = l.b * r;
  }
  y[t] = l.a[0] * l.a[1] + l.a[2] * l.b;
}
