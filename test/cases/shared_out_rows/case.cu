#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// A thread a row, in blocks that extend in y: some rows are empty, some longer
// than a warp, and the last warp of a block is partial. Threads without a row
// leave at once. Entries of either sign go through different code.
extern "C" __global__ void rows_of_any_length(const int *__restrict__ starts,
                                              const int *__restrict__ columns,
                                              const real *__restrict__ values,
                                              const real *__restrict__ x,
                                              const double *__restrict__ scale,
                                              real *__restrict__ y, int rows) {
  int thread = threadIdx.y * blockDim.x + threadIdx.x;
  int r = blockIdx.x * blockDim.x * blockDim.y + thread;
  if (r >= rows)
    return;
  real s = 0, t = 0;
  for (int k = starts[r]; k < starts[r + 1]; ++k) {
    real v = values[k], u = x[columns[k]];
    real p = v * u;
    if (v > 0)
      p = p * v + u;
    s += p;
    t += real(scale[r]) * v;
  }
  y[2 * r] = s;
  y[2 * r + 1] = t;
}
