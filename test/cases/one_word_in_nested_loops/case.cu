#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// In all iterations of two loops a thread reads one word, under a condition.
// Threads without an iteration have an index that leads nowhere.
extern "C" __global__ void one_word(const real *__restrict__ x, const real *__restrict__ table,
                                    const int *__restrict__ steps, const int *__restrict__ which,
                                    real *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int word = which[i], last = steps[i];
  real s = 0;
  for (int j = 0; j < last; ++j)
    for (int k = 0; k <= j; ++k)
      if ((j + k + i) % 3 != 0)
        s = s * real(0.5) + table[word] * x[i];
  y[i] = s;
}
