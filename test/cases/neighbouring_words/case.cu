#ifndef REAL
#define REAL float
#endif
typedef REAL real;

struct alignas(4 * sizeof(real)) Four {
  real a, b, c, d;
};

// Four neighbouring words at an index that other threads have as well; one of
// them is read twice.
extern "C" __global__ void neighbouring_words(const Four *__restrict__ table, const int *__restrict__ index,
                                              const real *__restrict__ x, real *__restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const Four *four = table + index[i];
  real sum = four->a * x[i] + four->b * four->c;
  y[i] = sum + four->d * four->d * x[i] + four->a * four->a;
}
