// Some warps take longer than others, in the reverse sweep too. \p one is 1.
__device__ static float slow(float v, int warp, float one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

__device__ static float raise(float *p, float v) {
  return v >= 0 ? __int_as_float(atomicMax((int *)p, __float_as_int(v)))
                : __uint_as_float(atomicMin((unsigned *)p, __float_as_uint(v)));
}
__device__ static void lower(float *p, float v) {
  if (v < 0)
    atomicMax((unsigned *)p, __float_as_uint(v));
  else
    atomicMin((int *)p, __float_as_int(v));
}
extern "C" __global__ void range(const float *x, float *y, int n, float one) {
  __shared__ float high, low;
  int t = threadIdx.x;
  if (t == 0) high = -1e30f, low = 1e30f;
  __syncthreads();
  for (int i = t; i < n; i += 128) {
    float v = slow(3 * x[blockIdx.x * n + i] - 5, t / 32, one);
    raise(&high, v);
    lower(&low, v);
  }
  __syncthreads();
  if (t == 0) y[2 * blockIdx.x] = high * high, y[2 * blockIdx.x + 1] = low * high;
}
