// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which kernels test threads, barriers and warps?
#include <cooperative_groups.h>
namespace cg = cooperative_groups;

extern "C" __global__ void indices(int *y) {
  int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  int size = blockDim.x * blockDim.y * blockDim.z;
  int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  y[block * size + thread] = block * size + thread;
}
extern "C" __global__ void treeSum(int n, const float *x, float *out) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? x[i] : 0.f;
  __syncthreads();
  for (int k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k)
      s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = s[0];
}
extern "C" __global__ void reverseDynamic(const float *x, float *y) {
  extern __shared__ float d[];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  d[t] = x[i];
  __syncthreads();
  y[i] = d[blockDim.x - 1 - t];
}
__device__ __noinline__ float exchange(float *s, int t) {
  __syncthreads();
  return s[t ^ 1];
}
extern "C" __global__ void barrierInCallee(const float *x, float *y) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = exchange(s, threadIdx.x);
}
extern "C" __global__ void barrierReductions(const int *x, int *y) {
  int v = x[threadIdx.x];
  int c = __syncthreads_count(v & 1);
  int a = __syncthreads_and(v >= 0);
  int o = __syncthreads_or(v > 998);
  y[threadIdx.x * 3] = c;
  y[threadIdx.x * 3 + 1] = a;
  y[threadIdx.x * 3 + 2] = o;
}
// Two halves of a block meet at barriers of their own, and hand over by
// bar.arrive.
extern "C" __global__ void namedBarriers(const int *x, int *y) {
  __shared__ int s[128], u[64];
  int t = threadIdx.x, half = t / 64;
  s[t] = x[t];
  asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
  int v = s[half * 64 + (t + 1) % 64];
  if (half == 0) {
    u[t] = v;
    asm volatile("bar.arrive 3, 128;" ::: "memory");
    y[t] = v;
  } else {
    asm volatile("bar.sync 3, 128;" ::: "memory");
    y[t] = v + u[t - 64];
  }
}
extern "C" __global__ void earlyExit(int *y) {
  __shared__ int s[64];
  if (threadIdx.x >= 40)
    return;
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  y[threadIdx.x] = s[39 - threadIdx.x];
}
extern "C" __global__ void warpOps(const int *x, int *y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i];
  int *o = y + i * 16, p;
  unsigned all = 0xffffffffu;
  o[0] = __ballot_sync(all, v & 1);
  o[1] = __any_sync(all, v == 7);
  o[2] = __all_sync(all, v >= 0);
  o[3] = __uni_sync(all, v & 1);
  o[4] = __shfl_xor_sync(all, v, 5);
  o[5] = __shfl_up_sync(all, v, 3, 16);
  o[6] = __shfl_down_sync(all, v, 6, 8);
  o[7] = __shfl_sync(all, v, 9, 8);
  o[8] = __match_any_sync(all, v & 3);
  o[9] = __match_all_sync(all, v & 3, &p);
  o[10] = p;
  o[11] = __reduce_add_sync(all, v);
  o[12] = __reduce_max_sync(all, v - 500);
  o[13] = __reduce_xor_sync(all, (unsigned)v);
  o[14] = (v & 1) ? __activemask() : __activemask();
  o[15] = __reduce_min_sync(all, (unsigned)(v - 500));
}
extern "C" __global__ void shuffleDouble(const double *x, double *y) {
  int t = threadIdx.x;
  y[t] = __shfl_down_sync(0xffffffffu, x[t], 1) + __shfl_sync(0xffffffffu, x[t], 31 - t);
}
extern "C" __global__ void shufflePredicate(int *y) {
  int t = threadIdx.x, v, p;
  asm volatile("{ .reg .pred q;\n"
               "  shfl.sync.up.b32 %0|q, %2, 4, 0x0, 0xffffffff;\n"
               "  selp.s32 %1, 1, 0, q; }"
               : "=r"(v), "=r"(p) : "r"(t * 10));
  y[2 * t] = v;
  y[2 * t + 1] = p;
}
extern "C" __global__ void partialMasks(const int *x, int *y) {
  int t = threadIdx.x, l = t % 32;
  if (l < 8)
    y[t] = __shfl_sync(0x000000ffu, x[t], 3);
  else if (l < 20)
    y[t] = __reduce_add_sync(0x000fff00u, x[t]);
  else
    y[t] = __shfl_xor_sync(0xfff00000u, x[t], 1);
}
extern "C" __global__ void exitedLanes(const int *x, int *y) {
  int t = threadIdx.x;
  if (t >= 20)
    return;
  y[t] = __reduce_add_sync(0xffffffffu, x[t]);
}
extern "C" __global__ void syncWarpExchange(const float *x, float *y) {
  __shared__ float s[32];
  int t = threadIdx.x;
  s[t] = x[t];
  __syncwarp();
  float v = s[(t + 1) & 31];
  __syncwarp();
  s[t] = v;
  __syncwarp();
  y[t] = s[(t + 1) & 31];
}
extern "C" __global__ void findSet(const unsigned *mask, const unsigned *base,
                                   const int *offset, unsigned *y) {
  int t = threadIdx.x;
  unsigned v;
  asm("fns.b32 %0, %1, %2, %3;" : "=r"(v) : "r"(mask[t]), "r"(base[t]), "r"(offset[t]));
  y[2 * t] = __fns(mask[t], base[t], offset[t]);
  y[2 * t + 1] = v;
}
extern "C" __global__ void groups(const float *x, float *y) {
  auto b = cg::this_thread_block();
  auto t = cg::tiled_partition<16>(b);
  float v = x[b.thread_rank()];
  for (int o = t.size() / 2; o; o >>= 1)
    v += t.shfl_down(v, o);
  v = t.shfl(v, 0);
  b.sync();
  if (threadIdx.x & 1) {
    auto c = cg::coalesced_threads();
    v += c.size() * 1000 + c.thread_rank();
    c.sync();
  }
  y[b.thread_rank()] = v;
}
extern "C" __global__ void wideGroup(const int *x, int *y) {
  __shared__ cg::block_tile_memory<256> m;
  auto b = cg::this_thread_block(m);
  auto t = cg::tiled_partition<64>(b);
  int v = x[b.thread_rank()];
  int s = t.shfl(v, 40);
  t.sync();
  y[b.thread_rank()] = s + t.any(v == 5);
}
extern "C" __global__ void spinLock(int *lock, int *counter) {
  while (atomicCAS(lock, 0, 1) != 0)
    ;
  __threadfence();
  int c = *counter;
  __syncwarp(1u << (threadIdx.x & 31));
  *counter = c + 1;
  __threadfence();
  atomicExch(lock, 0);
}
// All threads wait for one.
extern "C" __global__ void flagWait(volatile int *flag, int *y, int setter) {
  if (threadIdx.x == setter)
    *flag = 1;
  while (!*flag)
    ;
  y[threadIdx.x] = 7;
}
extern "C" __global__ void lastBlock(int n, const float *x, float *part,
                                     unsigned *count, float *out) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    part[blockIdx.x] = x[blockIdx.x];
    __threadfence();
    last = atomicAdd(count, 1u) == gridDim.x - 1;
  }
  __syncthreads();
  if (last && threadIdx.x == 0) {
    float r = 0;
    for (int b = 0; b < gridDim.x; b++)
      r += ((volatile float *)part)[b];
    *out = r;
  }
}
extern "C" __global__ void order(int *counter, int *y) {
  __syncthreads();
  y[atomicAdd(counter, 1)] = threadIdx.x;
}
extern "C" __global__ void exits(int *y) {
  if (threadIdx.x & 1)
    asm volatile("exit;");
  __syncthreads();
  y[threadIdx.x] = 1;
}
extern "C" __global__ void registers(unsigned *y) {
  unsigned *o = y + threadIdx.x * 8;
  asm("mov.u32 %0, %%laneid;" : "=r"(o[0]));
  asm("mov.u32 %0, %%lanemask_lt;" : "=r"(o[1]));
  asm("mov.u32 %0, %%lanemask_ge;" : "=r"(o[2]));
  asm("mov.u32 %0, %%warpid;" : "=r"(o[3]));
  asm("mov.u32 %0, %%nwarpid;" : "=r"(o[4]));
  asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(o[5]));
  asm("mov.u32 %0, %%ntid.y;" : "=r"(o[6]));
  o[7] = clock64() != 0;
}
