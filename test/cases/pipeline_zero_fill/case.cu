#include <cuda_pipeline.h>

extern "C" __global__ void fill(const float *x, float *y) {
  __shared__ float4 whole[128], halves[128];
  int t = threadIdx.x;
  if (t % 2 == 0)
    __pipeline_memcpy_async(&whole[t], &x[4 * t], 16);
  else
    __pipeline_memcpy_async(&whole[t], &x[4 * t], 16, 8);
  __pipeline_memcpy_async(&halves[t], &x[4 * t], 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float4 v = whole[127 - t], w = halves[t];
  y[4 * t] = v.x * v.x + 3 * w.x;
  y[4 * t + 1] = v.y * v.y + 3 * w.y;
  y[4 * t + 2] = v.z * v.z + 3 * w.z;
  y[4 * t + 3] = v.w * v.w + 3 * w.w;
}
