#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static real slow(real v, int warp, real one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

// Threads with a number above zero draw a slot from the block's counter, each time round.
extern "C" __global__ void compact(const real *x, real *y, int rounds, real one) {
  __shared__ int count, from[128];
  __shared__ real kept[128];
  int t = threadIdx.x;
  for (int r = 0; r < rounds; ++r) {
    int begin = (blockIdx.x * rounds + r) * 128;
    if (t == 0) count = 0;
    __syncthreads();
    real v = slow(x[begin + t], t / 32 + r, one);
    if (v > 0) {
      int slot = atomicAdd(&count, 1);
      kept[slot] = v * v;
      from[slot] = t;
    }
    __syncthreads();
    if (t < count) {
      int i = begin + from[t];
      y[i] = kept[t] * kept[t] * x[i];
    }
    __syncthreads();
  }
}
