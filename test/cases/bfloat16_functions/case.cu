#include <cuda_bf16.h>
#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// A gate as networks have it: products in bfloat16, functions, pairs.
extern "C" __global__ void gate(const __nv_bfloat16 *x, const __nv_bfloat162 *w, __nv_bfloat16 *y, real *out, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  __nv_bfloat16 v = x[i];
  __nv_bfloat16 s = hexp(__hneg(__habs(v)));
  __nv_bfloat16 gated = __hmul(v, htanh(__hfma(v, s, x[n - 1 - i])));
  if (__hgt(v, __float2bfloat16(0.f)))
    gated = __hmax(gated, s);
  __nv_bfloat162 pair = __hmul2(w[i], __bfloat162bfloat162(gated));
  y[i] = __hadd(__low2bfloat16(pair), hsqrt(s));
  out[i] = real(__high2float(pair)) * real(__bfloat162float(v));
}
