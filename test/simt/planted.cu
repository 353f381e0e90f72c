// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: which kernels have one fault each, and a twin
// without it?
//
// "@name" marks the lines that a report of the wrong twin may name.
#include <cstdlib>

#define TWINS(Name, Params, ...)                                               \
  extern "C" __global__ void Name##Right Params { Name<true>(__VA_ARGS__); }   \
  extern "C" __global__ void Name##Wrong Params { Name<false>(__VA_ARGS__); }
#define DEVICE template <bool Right> __device__ __forceinline__ void

constexpr int N = 64; // Threads of a block.

//===--- Races within a block ---------------------------------------------===//

DEVICE barrierBeforeRead(float *y, const float *x) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = x[t]; // @barrierBeforeRead
  if (Right)
    __syncthreads();
  y[t] = s[(t + 1) % N]; // @barrierBeforeRead
}
TWINS(barrierBeforeRead, (float *y, const float *x), y, x)

DEVICE barrierAfterRead(float *y, const float *x) {
  __shared__ float s[N];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < 3; k++) {
    s[t] = x[t] + k; // @barrierAfterRead
    __syncthreads();
    sum += s[N - 1 - t]; // @barrierAfterRead
    if (Right)
      __syncthreads();
  }
  y[t] = sum;
}
TWINS(barrierAfterRead, (float *y, const float *x), y, x)

DEVICE warpBarrier(float *y, const float *x) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = x[t]; // @warpBarrier
  if (Right)
    __syncwarp();
  y[t] = s[t ^ 1]; // @warpBarrier
}
TWINS(warpBarrier, (float *y, const float *x), y, x)

// A shuffle makes lanes meet, but orders no memory.
DEVICE shuffleInPlaceOfBarrier(float *y, const float *x) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = x[t]; // @shuffleInPlaceOfBarrier
  float v = __shfl_sync(0xffffffffu, x[t], 0);
  if (Right)
    __syncwarp();
  y[t] = s[t ^ 1] + v; // @shuffleInPlaceOfBarrier
}
TWINS(shuffleInPlaceOfBarrier, (float *y, const float *x), y, x)

// Lanes 0 to 15 and 16 to 31 meet among themselves.
DEVICE warpBarrierOfHalves(float *y, const float *x) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = x[t]; // @warpBarrierOfHalves
  __syncwarp(t & 16 ? 0xffff0000u : 0xffffu);
  y[t] = s[Right ? t ^ 1 : t ^ 16]; // @warpBarrierOfHalves
}
TWINS(warpBarrierOfHalves, (float *y, const float *x), y, x)

DEVICE plainAdjoint(float *dx, const float *dy) {
  int t = threadIdx.x;
  if (Right)
    atomicAdd(&dx[t / 2], dy[t]);
  else
    dx[t / 2] += dy[t]; // @plainAdjoint
}
TWINS(plainAdjoint, (float *dx, const float *dy), dx, dy)

DEVICE plainReadOfAtomic(float *y, const float *x) {
  __shared__ int count;
  int t = threadIdx.x;
  if (t == 0)
    count = 0;
  __syncthreads();
  if (x[t] >= 0)
    atomicAdd(&count, 1); // @plainReadOfAtomic
  if (Right)
    __syncthreads();
  y[t] = count; // @plainReadOfAtomic
}
TWINS(plainReadOfAtomic, (float *y, const float *x), y, x)

// Who has ended takes no part in barriers.
DEVICE endedBeforeBarrier(float *y, const float *x) {
  __shared__ float s[N];
  int t = threadIdx.x;
  s[t] = x[t]; // @endedBeforeBarrier
  if (!Right && t >= N / 2)
    return;
  __syncthreads();
  if (t < N / 2)
    y[t] = s[N - 1 - t]; // @endedBeforeBarrier
}
TWINS(endedBeforeBarrier, (float *y, const float *x), y, x)

// Warp 0 brings values, warp 1 takes them.
DEVICE arriveAtBarrier(float *y, const float *x) {
  __shared__ float s[N];
  int t = threadIdx.x;
  if (t < 32) {
    if (Right)
      s[t] = x[t];
    asm volatile("bar.arrive 1, 64;" ::: "memory");
    if (!Right)
      s[t] = x[t]; // @arriveAtBarrier
  } else {
    if (!Right)
      s[t] = 0;
    asm volatile("bar.sync 1, 64;" ::: "memory");
    y[t] = s[t - 32]; // @arriveAtBarrier
  }
}
TWINS(arriveAtBarrier, (float *y, const float *x), y, x)

DEVICE plainUnlock(float *y, const float *x) {
  __shared__ int lock;
  __shared__ float sum;
  int t = threadIdx.x;
  if (t == 0)
    lock = 0, sum = 0;
  __syncthreads();
  if (t % 32 == 0) {
    while (atomicCAS(&lock, 0, 1) != 0) // @plainUnlock
      ;
    __threadfence_block();
    sum += x[t];
    __threadfence_block();
    if (Right)
      atomicExch(&lock, 0);
    else
      lock = 0; // @plainUnlock
  }
  __syncthreads();
  y[t] = sum;
}
TWINS(plainUnlock, (float *y, const float *x), y, x)

//===--- Races between blocks ---------------------------------------------===//

DEVICE sameOutput(float *y, const float *x) {
  int t = threadIdx.x;
  y[Right ? blockIdx.x * N + t : t] = x[t]; // @sameOutput
}
TWINS(sameOutput, (float *y, const float *x), y, x)

__device__ unsigned arrived;

// The block that comes last adds what the others have left.
template <int Fence>
__device__ __forceinline__ void lastBlockAdds(float *y, const float *x,
                                              unsigned *count) {
  int t = threadIdx.x;
  __shared__ bool last;
  if (t == 0) {
    y[1 + blockIdx.x] = x[blockIdx.x]; // @fence @fenceOfBlock
    if (Fence == 2)
      __threadfence();
    if (Fence == 1)
      __threadfence_block();
    last = atomicInc(count, gridDim.x - 1) == gridDim.x - 1;
    __threadfence();
  }
  __syncthreads();
  if (last && t == 0) {
    float sum = 0;
    for (int b = 0; b < gridDim.x; b++)
      sum += y[1 + b]; // @fence @fenceOfBlock
    y[0] = sum;
  }
}
DEVICE fence(float *y, const float *x) {
  lastBlockAdds<Right ? 2 : 0>(y, x, &arrived);
}
TWINS(fence, (float *y, const float *x), y, x)
DEVICE fenceOfBlock(float *y, const float *x) {
  lastBlockAdds<Right ? 2 : 1>(y, x, &arrived);
}
TWINS(fenceOfBlock, (float *y, const float *x), y, x)

__device__ unsigned counted;

DEVICE unorderedCounter(float *y, const float *x) {
  if (threadIdx.x != 0)
    return;
  y[1 + blockIdx.x] = x[blockIdx.x]; // @unorderedCounter
  unsigned before = __scoped_atomic_fetch_add(
      &counted, 1u, Right ? __ATOMIC_ACQ_REL : __ATOMIC_RELAXED,
      __MEMORY_SCOPE_DEVICE);
  if (before % gridDim.x != gridDim.x - 1)
    return;
  float sum = 0;
  for (int b = 0; b < gridDim.x; b++)
    sum += y[1 + b]; // @unorderedCounter
  y[0] = sum;
}
TWINS(unorderedCounter, (float *y, const float *x), y, x)

DEVICE atomicOfBlock(float *y, const float *x) {
  if (Right)
    atomicAdd(&y[0], x[threadIdx.x]);
  else
    atomicAdd_block(&y[0], x[threadIdx.x]); // @atomicOfBlock
}
TWINS(atomicOfBlock, (float *y, const float *x), y, x)

//===--- Places that are not there ----------------------------------------===//

DEVICE behindShared(float *y, const float *x) {
  __shared__ float s[N + Right];
  __shared__ float other[N];
  int t = threadIdx.x;
  s[t] = other[t] = x[t];
  if (Right && t == 0)
    s[N] = 0;
  __syncthreads();
  y[t] = s[t + 1] + other[t]; // @behindShared
}
TWINS(behindShared, (float *y, const float *x), y, x)

DEVICE behindGlobal(float *y, const float *x) {
  int t = threadIdx.x;
  y[t] = Right && t == N - 1 ? x[t] : x[t + 1]; // @behindGlobal
}
TWINS(behindGlobal, (float *y, const float *x), y, x)

__device__ float table[8];
__constant__ float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};

DEVICE behindVariable(float *y, const float *x) {
  int t = threadIdx.x;
  if (t < (Right ? 8 : 9))
    table[t] = x[t]; // @behindVariable
  y[t] = 0;
}
TWINS(behindVariable, (float *y, const float *x), y, x)

DEVICE behindConstant(float *y, const float *x) {
  int t = threadIdx.x;
  y[t] = weights[t % (Right ? 8 : 9)] * x[t]; // @behindConstant
}
TWINS(behindConstant, (float *y, const float *x), y, x)

DEVICE behindLocal(float *y, const float *x) {
  float a[4] = {1, 2, 3, 4};
  int t = threadIdx.x;
  a[t % (Right ? 4 : 5)] = x[t]; // @behindLocal
  y[t] = a[t & 3];
}
TWINS(behindLocal, (float *y, const float *x), y, x)

DEVICE foreignLocal(float *y, const float *x) {
  __shared__ float *s[N];
  float mine = x[threadIdx.x];
  int t = threadIdx.x;
  s[t] = &mine;
  __syncthreads();
  y[t] = *s[Right ? t : t ^ 1]; // @foreignLocal
  __syncthreads();
}
TWINS(foreignLocal, (float *y, const float *x), y, x)

DEVICE freed(float *y, const float *x) {
  int t = threadIdx.x;
  float *p = (float *)malloc(4);
  *p = x[t];
  if (!Right)
    free(p);
  y[t] = *(volatile float *)p; // @freed
  if (Right)
    free(p);
}
TWINS(freed, (float *y, const float *x), y, x)

DEVICE misaligned(float *y, const float *x) {
  int t = threadIdx.x;
  float4 v = *(const float4 *)(x + (Right ? 4 : 1)); // @misaligned
  y[t] = v.x + v.w;
}
TWINS(misaligned, (float *y, const float *x), y, x)

//===--- Values that are not there ----------------------------------------===//

DEVICE undefinedShared(float *y, const float *x) {
  __shared__ float s[N];
  int t = threadIdx.x;
  if (Right || t != 5)
    s[t] = x[t];
  __syncthreads();
  y[t] = s[N - 1 - t]; // @undefinedShared
}
TWINS(undefinedShared, (float *y, const float *x), y, x)

DEVICE undefinedLocal(float *y, const float *x) {
  float a[4];
  int t = threadIdx.x;
  for (int i = 0; i < (Right ? 4 : 3); i++)
    a[i] = x[t] * i;
  y[t] = a[t & 3]; // @undefinedLocal
}
TWINS(undefinedLocal, (float *y, const float *x), y, x)

DEVICE undefinedBranch(float *y, const float *x) {
  __shared__ int flag;
  int t = threadIdx.x;
  if (Right && t == 0)
    flag = 1;
  __syncthreads();
  if (flag) // @undefinedBranch
    y[t] = x[t];
}
TWINS(undefinedBranch, (float *y, const float *x), y, x)

DEVICE undefinedIndex(float *y, const float *x) {
  __shared__ int index[N];
  int t = threadIdx.x;
  if (Right || t)
    index[t] = t;
  __syncthreads();
  y[t] = x[index[t] & (N - 1)]; // @undefinedIndex
}
TWINS(undefinedIndex, (float *y, const float *x), y, x)

// A shadow that nobody has zeroed.
DEVICE undefinedSum(float *y, const float *x) {
  __shared__ float sum;
  int t = threadIdx.x;
  if (Right && t == 0)
    sum = 0;
  __syncthreads();
  atomicAdd(&sum, x[t]);
  __syncthreads();
  y[t] = sum; // @undefinedSum
}
TWINS(undefinedSum, (float *y, const float *x), y, x)

DEVICE undefinedShuffle(float *y, const float *x) {
  __shared__ float s[N];
  int t = threadIdx.x;
  if (Right || t)
    s[t] = x[t];
  __syncthreads();
  y[t] = __shfl_sync(0xffffffffu, s[t], 0); // @undefinedShuffle
}
TWINS(undefinedShuffle, (float *y, const float *x), y, x)

//===--- Barriers ---------------------------------------------------------===//

DEVICE divergentBarrier(float *y, const float *x) {
  int t = threadIdx.x;
  if (Right ? blockIdx.x == 0 : t % 32 < 16) {
    y[t] = x[t];
    __syncthreads(); // @divergentBarrier
  } else {
    y[t] = 1;
    __syncthreads(); // @divergentBarrier
    y[t] = 2;
  }
}
TWINS(divergentBarrier, (float *y, const float *x), y, x)

DEVICE barriersCrossed(float *y, const float *x) {
  int t = threadIdx.x;
  if (Right || t < 32) {
    asm volatile("barrier.sync 1;" ::: "memory"); // @barriersCrossed
    asm volatile("barrier.sync 2;" ::: "memory");
  } else {
    asm volatile("barrier.sync 2;" ::: "memory"); // @barriersCrossed
    asm volatile("barrier.sync 1;" ::: "memory");
  }
  y[t] = x[t];
}
TWINS(barriersCrossed, (float *y, const float *x), y, x)

DEVICE tooFewAtBarrier(float *y, const float *x) {
  int t = threadIdx.x;
  if (!Right && t >= 32)
    return;
  asm volatile("bar.sync 1, 64;" ::: "memory"); // @tooFewAtBarrier
  y[t] = x[t];
}
TWINS(tooFewAtBarrier, (float *y, const float *x), y, x)

// The counter that made a block the last is set back without an atomic.
DEVICE counterSetBack(float *y, const float *x) {
  __shared__ int count;
  int t = threadIdx.x;
  if (t == 0)
    count = 0;
  __syncthreads();
  bool last = atomicAdd(&count, 1) == N - 1; // @counterSetBack
  if (Right ? last : t == 0)
    count = 0; // @counterSetBack
  y[t] = x[t];
}
TWINS(counterSetBack, (float *y, const float *x), y, x)

//===--- Right, though it might look wrong --------------------------------===//

struct Padded {
  char c;
  double d;
  int i;
};
extern "C" __global__ void paddingIsCopied(Padded *to, const Padded *from) {
  __shared__ Padded s[N];
  Padded p;
  p.c = from[threadIdx.x].c;
  p.d = from[threadIdx.x].d;
  p.i = 1;
  s[threadIdx.x] = p;
  __syncthreads();
  to[threadIdx.x] = s[N - 1 - threadIdx.x];
}

extern "C" __global__ void bytesOfOneWord(char *y, const char *x) {
  __shared__ char s[N];
  int t = threadIdx.x;
  s[t] = x[t] + 1;
  y[t] = s[t];
}

// Lanes beyond n take part in the shuffles with whatever they have.
extern "C" __global__ void unusedLanes(float *y, const float *x, int n) {
  __shared__ float s[N];
  int t = threadIdx.x;
  if (t < n)
    s[t] = x[t];
  __syncthreads();
  float v = s[t];
  float w = __shfl_down_sync(0xffffffffu, v, 1);
  if (t + 1 < n && (t & 31) != 31)
    y[t] = v + w;
}

// One thread tells another by a flag.
extern "C" __global__ void flagAndFence(float *y, const float *x, int *flag) {
  if (blockIdx.x == 0) {
    y[1] = x[0];
    __threadfence();
    *(volatile int *)flag = 1;
  } else {
    while (*(volatile int *)flag == 0)
      ;
    __threadfence();
    y[0] = y[1];
  }
}

// Of the second warp, eight lanes wait while the others end.
extern "C" __global__ void someEnd(float *y, const float *x) {
  __shared__ float s[N];
  int t = threadIdx.x;
  if (t < 40) {
    s[t] = x[t];
    __syncthreads();
    y[t] = s[39 - t];
  }
}

// The first read races, but what it finds is a guess.
extern "C" __global__ void sumByCompareAndSwap(float *y, const float *x) {
  __shared__ int sum;
  int t = threadIdx.x;
  if (t == 0)
    sum = 0;
  __syncthreads();
  int old = sum, assumed;
  do {
    assumed = old;
    old = atomicCAS(&sum, assumed,
                    __float_as_int(__int_as_float(assumed) + x[t]));
  } while (old != assumed);
  __syncthreads();
  y[t] = __int_as_float(sum);
}

__device__ __noinline__ void fill(float *p, int n, float v) {
  for (int i = 0; i < n; i++)
    p[i] = v;
}
// Variables that live one after the other.
extern "C" __global__ void variablesInTurn(float *y, const float *x) {
  int t = threadIdx.x;
  float sum = 0;
  {
    float a[8];
    fill(a, 8, x[t]);
    sum += a[t & 7];
  }
  {
    float b[16];
    fill(b, 16, x[t]);
    sum += b[t & 15];
  }
  y[t] = sum;
}

extern "C" __global__ void heapBlocksComeBack(float *y, const float *x) {
  int t = threadIdx.x;
  float *p = (float *)malloc(16);
  p[0] = x[t];
  y[t] = p[0];
  free(p);
}
