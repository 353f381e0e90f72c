#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Every thread reads the same 36 words: more than a warp has lanes. Blocks are
// two warps and a quarter, in two dimensions; some threads leave at once, and
// one word is read by every third thread.
extern "C" __global__ void uniform_words(const real *__restrict__ x, const real *__restrict__ w,
                                         const real *__restrict__ bias, real *__restrict__ y, real scale, int n) {
  int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  real s = 0, power = 1;
#pragma unroll
  for (int k = 0; k < 35; ++k) {
    s += w[k] * power;
    power *= x[i];
  }
  if (i % 3 == 0)
    s += bias[0] * x[i];
  y[i] = s * scale;
}
