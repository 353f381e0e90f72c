// Each block's sum of a function of its elements, by a tree in shared memory.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Block = 256;

extern "C" __global__ void block_reduction(const real *__restrict__ x,
                                           real *__restrict__ sums, int count) {
  __shared__ real tree[Block];
  int i = blockIdx.x * Block + threadIdx.x;
  tree[threadIdx.x] = i < count ? x[i] * sin(x[i]) : real(0);
  __syncthreads();
  for (int stride = Block / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride)
      tree[threadIdx.x] += tree[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = tree[0];
}
