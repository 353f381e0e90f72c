#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Any number of threads, also none of two: words that the halves leave out.
extern "C" __global__ void odd(const real *__restrict__ x, real *__restrict__ out) {
  __shared__ real s[128];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = x[i] * x[i];
  for (unsigned d = blockDim.x / 2; d != 0; d >>= 1) {
    __syncthreads();
    if (t < d)
      s[t] += s[t + d];
  }
  if (t == 0)
    out[blockIdx.x] = s[0] * s[0];
}

// Rows and columns of threads, a sum for each round, two arrays a loop.
extern "C" __global__ void rows(const real *__restrict__ x, real *__restrict__ out,
                                int rounds) {
  __shared__ real a[64], b[64];
  int t = threadIdx.y * blockDim.x + threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    real v = x[r * 64 + t];
    a[t] = v * v;
    b[t] = v * v * v;
    __syncthreads();
    for (int d = 32; d >= 1; d /= 2) {
      if (t < d) {
        a[t] = a[t + d] + a[t];
        b[t] += b[t + d];
      }
      __syncthreads();
    }
    if (t == 0)
      out[r] += a[0] * b[0];
    __syncthreads();
  }
}

// More words than go into the first, and a word that is read beside the sum.
extern "C" __global__ void some(const real *__restrict__ x, real *__restrict__ out) {
  __shared__ real s[64], u[64];
  int t = threadIdx.x;
  s[t] = x[t] * x[t];
  u[t] = x[t] * x[t] * x[t];
  __syncthreads();
  for (int d = 16; d > 0; d /= 2) {
    if (t < d) {
      s[t] += s[t + d];
      u[t] += u[t + d];
    }
    __syncthreads();
  }
  if (t == 0)
    out[0] = s[0] * 2 + u[0] * u[1];
}
