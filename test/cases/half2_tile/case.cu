#include <cuda_fp16.h>
#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Pairs through vector loads and shared memory, accumulated in half and float.
extern "C" __global__ void tile(const __half *a, const __half2 *b, __half *h, real *out, int n) {
  __shared__ __half2 pairs[8];
  __shared__ __half single[8];
  int i = threadIdx.x;
  uint2 packed = reinterpret_cast<const uint2 *>(a)[i];
  __half2 low = *reinterpret_cast<__half2 *>(&packed.x);
  __half2 high = *reinterpret_cast<__half2 *>(&packed.y);
  pairs[i] = b[i];
  single[i] = a[4 * i + 1];
  __syncthreads();
  if (i >= n)
    return;
  __half2 other = pairs[(i + 3) % n];
  __half2 sum = __hfma2(low, other, high * __half2half2(single[(i + 1) % n]));
  sum += __lowhigh2highlow(other);
  float2 wide = __half22float2(sum);
  h[i] = __hadd(__low2half(sum), __hmul(__high2half(sum), __float2half(0.5f)));
  out[i] += real(wide.x) * real(wide.y);
}
