// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which kernels must end in an error?
#include <cassert>
#include <cstdio>
#include <cstdlib>

extern "C" __global__ void trapAt(int n) {
  if (threadIdx.x == n)
    __trap();
}
extern "C" __global__ void assertBelow(int n) { assert(threadIdx.x < n); }
extern "C" __global__ void wildStore(float *y) {
  if (blockIdx.y == 1 && threadIdx.x == 3)
    *(float *)16 = 1;
  y[threadIdx.x] = 2;
}
extern "C" __global__ void farBehind(float *y) {
  y[(1ull << 40) + threadIdx.x] = 1;
}
__device__ __noinline__ int deep(int n, volatile int *p) {
  volatile int a[64];
  for (int i = 0; i < 64; i++)
    a[i] = n + i;
  int r = n <= 0 ? 0 : deep(n - 1, a + (n & 63));
  return r + a[n & 63] + *p;
}
extern "C" __global__ void recurse(int *y, int n) {
  int z = 1;
  y[threadIdx.x] = deep(n, &z);
}
extern "C" __global__ void divide(int *y, const int *x) {
  y[threadIdx.x] = 100 / x[threadIdx.x];
}
extern "C" __global__ void divergedBarrier(int *y) {
  if (threadIdx.x < 16) {
    __syncthreads();
    __syncthreads();
  } else {
    __shfl_sync(0xffffffffu, 1, 0);
  }
  y[threadIdx.x] = 1;
}
extern "C" __global__ void wrongMask(int *y) {
  y[threadIdx.x] = __shfl_sync(0x0000ffffu, threadIdx.x, 0);
}
extern "C" __global__ void doubleFree() {
  void *volatile p = malloc(8);
  free(p);
  free(p);
}
extern "C" __global__ void endless(int *y) {
  while (*(volatile int *)y == 0)
    ;
}
extern "C" __global__ void endlessSilent(unsigned *y) {
  unsigned s = y[0];
  do {
    s = s * 1664525u + 1013904223u;
    asm volatile("" ::: "memory");
  } while (y[1] == 0);
  y[2] = s;
}
extern "C" __global__ void texture(cudaTextureObject_t t, float *y) {
  y[0] = tex1D<float>(t, 0.5f);
}
extern "C" __global__ void plain(float *y) { y[threadIdx.x] = threadIdx.x; }
