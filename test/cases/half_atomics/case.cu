#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ static float slow(float v, int warp, float one) {
  for (int k = 0; k < warp % 3 * 60; ++k) v *= one;
  return v;
}

extern "C" __global__ void add(const float *x, __half2 *pairs, __half *singles, __nv_bfloat162 *wide, __nv_bfloat16 *brains, float one) {
  __shared__ __half2 s[4];
  int t = threadIdx.x, i = blockIdx.x * 128 + t;
  if (t < 4) s[t] = __floats2half2_rn(0, 0);
  __syncthreads();
  float v = slow(x[i], t / 32, one);
  atomicAdd(&s[t % 4], __floats2half2_rn(v * v, 2 * v));
  __syncthreads();
  if (t < 4) atomicAdd(&pairs[t], __hmul2(s[t], __floats2half2_rn(0.25f, 0.5f)));
  atomicAdd(&singles[t % 2], __float2half(v * 3));
  atomicAdd(&wide[t % 3], __floats2bfloat162_rn(v, -v));
  atomicAdd(&brains[0], __float2bfloat16(v * v));
}
