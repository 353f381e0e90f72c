#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// All threads read the same words, a few in each iteration, upwards and downwards,
// one beside the other and some apart. Loops run from no iteration to many; warps
// are partial, and threads leave early.
extern "C" __global__ void pull(const real *__restrict__ x, const real *__restrict__ m, const real *__restrict__ p,
                                const real *__restrict__ own, real *__restrict__ out, int n, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  real q = own[i], sum = 0;
  for (int j = 0; j < n; ++j) {
    real d = x[j] - q;
    sum += m[j] * d * d;
  }
  for (int j = n - 1; j >= 0; --j)
    sum += p[3 * j] * p[3 * j + 2] * q;
  out[i] = sum;
}
