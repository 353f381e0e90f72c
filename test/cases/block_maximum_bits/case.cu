// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static float slow(float v, int warp, float one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern "C" __global__ void peaks(const float *x, float *y, int chunks, float one) {
  __shared__ int peak;
  int t = threadIdx.x, warp = t / 32;
  for (int c = 0; c < chunks; ++c) {
    int i = (blockIdx.x * chunks + c) * 128 + t;
    if (t == 0) peak = 0;
    __syncthreads();
    atomicMax(&peak, __float_as_int(slow(x[i] * x[i], warp + c, one)));
    __syncthreads();
    y[i] = x[i] / (1 + __int_as_float(peak));
    __syncthreads();
  }
}
