// Attention of queries to keys, a query a warp, softmax in one pass.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A lane holds a component. The running maximum keeps the exponentials in
// range, and what has been summed is scaled anew where it grows (Milakov,
// Gimelshein, "Online normalizer calculation for softmax", 2018).

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Depth = 32;

__device__ static real warpSum(real value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

/// All four arrays: heads, each \p count rows of Depth; a head is a row of
/// blocks.
extern "C" __global__ void attention(const real *__restrict__ queries,
                                     const real *__restrict__ keys,
                                     const real *__restrict__ values,
                                     real *__restrict__ outputs, real scale,
                                     int count) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= count)
    return;
  int head = blockIdx.y * count;
  real query = scale * queries[(head + row) * Depth + lane];
  real largest = -INFINITY, total = 0, sum = 0;
  for (int j = 0; j < count; ++j) {
    int place = (head + j) * Depth + lane;
    real score = warpSum(query * keys[place]);
    real larger = fmax(largest, score);
    real shrink = exp(largest - larger), weight = exp(score - larger);
    total = total * shrink + weight;
    sum = sum * shrink + weight * values[place];
    largest = larger;
  }
  outputs[(head + row) * Depth + lane] = sum / total;
}
