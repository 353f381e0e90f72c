// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which kernels test memory and calls?
#include <cstdio>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>

__constant__ float coefficients[4];
__constant__ int table[3] = {10, 20, 30};
__device__ float total;
__device__ int counter = 5;
extern "C" __global__ void variables(const float *x, float *y) {
  int t = threadIdx.x;
  y[t] = coefficients[t & 3] * x[t] + table[t % 3];
  atomicAdd(&total, y[t]);
  if (t == 0)
    counter += 1;
}
struct Parameters {
  float a[5];
  int n;
  const float *x;
  float *y;
};
extern "C" __global__ void byValue(char c, Parameters p, double d) {
  int i = threadIdx.x;
  p.a[i % 5] += i; // A copy of its own.
  if (i < p.n)
    p.y[i] = p.x[i] + p.a[i % 5] + c + d;
}
extern "C" __global__ void vectors(const float4 *x, float4 *y, double2 *z) {
  float4 v = x[threadIdx.x];
  v.x += 1;
  v.w *= 2;
  y[threadIdx.x] = v;
  z[threadIdx.x] = make_double2(v.y, v.z);
}
extern "C" __global__ void histogram(int n, const int *b, const float *w,
                                     float *h, double *d) {
  __shared__ float s[16];
  __shared__ double u[16];
  if (threadIdx.x < 16)
    s[threadIdx.x] = u[threadIdx.x] = 0;
  __syncthreads();
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    atomicAdd(&s[b[i]], w[i]);
    atomicAdd_block(&u[b[i]], (double)w[i]);
  }
  __syncthreads();
  if (threadIdx.x < 16) {
    atomicAdd(&h[threadIdx.x], s[threadIdx.x]);
    atomicAdd_system(&d[threadIdx.x], u[threadIdx.x]);
  }
}
extern "C" __global__ void atomics(int *a, unsigned *u, unsigned long long *q,
                                   int *old) {
  int t = threadIdx.x;
  atomicSub(&a[0], t);
  atomicMin(&a[1], 100 - t);
  atomicMax(&a[2], t - 100);
  atomicAnd(&a[3], ~(1 << (t & 15)));
  atomicOr(&a[4], 1 << (t & 15));
  atomicXor(&a[5], t);
  old[t] = atomicExch(&a[6], t);
  atomicInc(&u[0], 5);
  atomicDec(&u[1], 5);
  atomicMax(&u[2], 0x80000000u + t);
  atomicMin_block(&u[3], 0xf0000000u - t);
  atomicCAS(&u[4], t, t + 1);
  atomicAdd(&q[0], (unsigned long long)t << 32);
  atomicMax(&q[1], ~0ull - t);
  atomicCAS_system(&q[2], (unsigned long long)t, t + 1ull);
}
extern "C" __global__ void halfAtomics(__half *h, __half2 *h2,
                                       __nv_bfloat16 *b) {
  atomicAdd(h, __float2half(0.5f));
  atomicAdd(h2, __floats2half2_rn(1.f, 2.f));
  atomicAdd(b, __float2bfloat16(0.25f));
}
extern "C" __global__ void redVector(float *y) {
  asm volatile("red.global.add.f32 [%0], %1;" ::"l"(y), "f"(1.5f) : "memory");
  asm volatile("red.relaxed.gpu.global.add.v2.f32 [%0+8], {%1, %2};" ::"l"(y),
               "f"(2.f), "f"(3.f) : "memory");
}
extern "C" __global__ void heap(const float *x, float *y) {
  float *p = (float *)malloc(64 * sizeof(float));
  for (int i = 0; i < 64; i++)
    p[i] = x[threadIdx.x] + i;
  __syncthreads();
  y[threadIdx.x] = p[threadIdx.x & 63];
  free(p);
}
extern "C" __global__ void print(int n, const char *s) {
  printf("%d %5.2f|%-4s|%c %lld %#x %% %s\n", n, 1.5 * threadIdx.x, "ab", 'z',
         1ll << 40, 255, s);
  if (threadIdx.x == 0)
    printf("%*d|%p|%zu|%hhd\n", 4, 7, (void *)16, sizeof(int), (char)-3);
}
__device__ float square(float x) { return x * x; }
__device__ float cube(float x) { return x * x * x; }
typedef float (*Function)(float);
__device__ Function functions[2] = {square, cube};
extern "C" __global__ void functionTable(const float *x, float *y) {
  y[threadIdx.x] = functions[threadIdx.x & 1](x[threadIdx.x]);
}
struct Base {
  __device__ virtual float f(float) = 0;
};
struct Scale : Base {
  float k;
  __device__ Scale(float k) : k(k) {}
  __device__ float f(float x) override { return k * x; }
};
extern "C" __global__ void virtualCall(const float *x, float *y) {
  Scale s(3.f);
  Base *b = &s;
  y[threadIdx.x] = b->f(x[threadIdx.x]);
}
__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
extern "C" __global__ void recursion(int *y) {
  y[threadIdx.x] = fibonacci(threadIdx.x % 15);
}
extern "C" __global__ void localArray(const float *x, float *y, int m) {
  float a[32];
  for (int i = 0; i < 32; i++)
    a[i] = x[threadIdx.x] * i;
  __syncthreads();
  y[threadIdx.x] = a[(threadIdx.x + m) & 31];
}
extern "C" __global__ void spaces(int *y) {
  __shared__ int s;
  int l;
  int *p = threadIdx.x & 1 ? &s : &l;
  *p = 3;
  y[threadIdx.x] = __isShared(p) + 2 * __isLocal(p) + 4 * __isGlobal(y);
}
extern "C" __global__ void asyncCopy(const float4 *x, float4 *y) {
  __shared__ float4 s[64], u[64];
  int t = threadIdx.x;
  unsigned a = (unsigned)__cvta_generic_to_shared(&s[t]);
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(a), "l"(x + t));
  asm volatile("cp.async.wait_all;");
  __pipeline_memcpy_async(&u[t], x + t, 16, 8);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  __syncthreads();
  float4 v = s[t ^ 1], w = u[t ^ 1];
  y[t] = make_float4(v.x + w.x, v.y + w.y, v.z + w.z, v.w + w.w);
}
extern "C" __global__ void cachedLoads(const int *x, const float2 *f, int *y,
                                       float2 *g) {
  int t = threadIdx.x;
  int s = __ldg(x + t) + __ldcg(x + t) + __ldcs(x + t) + __ldcv(x + t);
  asm("st.global.cg.s32 [%0], %1;" ::"l"(y + t), "r"(s) : "memory");
  float2 v = __ldg(f + t);
  asm("st.global.wt.v2.f32 [%0], {%1, %2};" ::"l"(g + t), "f"(v.y), "f"(v.x)
      : "memory");
}
extern "C" __global__ void unwritten(float *y) {
  __shared__ volatile float s[32];
  y[threadIdx.x] = s[threadIdx.x];
}
