#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Each row divided by its norm about its mean: two sums in one array, read by
// all threads.
extern "C" __global__ void normalise(const real *__restrict__ x, real *__restrict__ y,
                                     int width) {
  extern __shared__ real s[];
  int t = threadIdx.x;
  real v = t < width ? x[blockIdx.x * width + t] : real(0);
  s[t] = v;
  __syncthreads();
  for (unsigned d = blockDim.x >> 1; d > 0; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  real mean = s[0] / width;
  __syncthreads();
  real c = t < width ? v - mean : real(0);
  s[t] = c * c;
  __syncthreads();
  for (unsigned d = blockDim.x >> 1; d > 0; d >>= 1) {
    if (t < d)
      s[t] += s[t + d];
    __syncthreads();
  }
  if (t < width)
    y[blockIdx.x * width + t] = c / sqrt(s[0] + real(1));
}
