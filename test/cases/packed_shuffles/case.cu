#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ static float slow(float v, int warp, float one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern "C" __global__ void pairs(const float *x, float *y, float one) {
  int i = blockIdx.x * 128 + threadIdx.x, lane = threadIdx.x % 32;
  float v = slow(x[i], threadIdx.x / 32, one);
  __half2 h = __shfl_xor_sync(~0u, __floats2half2_rn(v, 2 * v), 1);
  h = __shfl_down_sync(~0u, h, 3);
  __half single = __shfl_up_sync(~0u, __float2half(v), 2, 16);
  __nv_bfloat162 b = __shfl_sync(~0u, __floats2bfloat162_rn(v, -v), lane * 5 % 32);
  float2 f{v, v * v};
  unsigned long long bits;
  memcpy(&bits, &f, 8);
  bits = __shfl_xor_sync(~0u, bits, 7);
  memcpy(&f, &bits, 8);
  y[i] = __low2float(h) * v + __high2float(h) + __half2float(single) * v + __low2float(b) * v - __high2float(b) * 3 + f.x * f.y;
}
