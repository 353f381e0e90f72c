#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// What a thread has written to global memory of its own is read in a loop, whose
// adjoints it reads again where they were written.
extern "C" __global__ void own_words_in_a_loop(const int *__restrict__ starts,
                                               const real *__restrict__ a,
                                               const real *__restrict__ values,
                                               real *__restrict__ scratch,
                                               real *__restrict__ y, int rows) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows)
    return;
  scratch[2 * r] = a[r] * a[r];
  scratch[2 * r + 1] = a[r] + 1;
  real s = 0;
  for (int k = starts[r]; k < starts[r + 1]; ++k)
    s += values[k] * scratch[2 * r + (k & 1)];
  y[r] = s;
}
