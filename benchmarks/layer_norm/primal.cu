// Layer normalisation, a row a warp, sums by shuffles.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Width = 256, Each = Width / 32;

/// The sum of \p value over the warp, in every lane.
__device__ static real warpSum(real value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

extern "C" __global__ void layer_norm(const real *__restrict__ x,
                                      const real *__restrict__ gamma,
                                      const real *__restrict__ beta,
                                      real *__restrict__ y, real epsilon,
                                      int rows) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  int lane = threadIdx.x % 32;
  if (row >= rows)
    return;
  const real *in = x + (size_t)row * Width;
  real *out = y + (size_t)row * Width;
  real value[Each], sum = 0, squares = 0;
#pragma unroll
  for (int k = 0; k < Each; ++k) {
    value[k] = in[32 * k + lane];
    sum += value[k];
  }
  real mean = warpSum(sum) / Width;
#pragma unroll
  for (int k = 0; k < Each; ++k) {
    value[k] -= mean;
    squares += value[k] * value[k];
  }
  real scale = rsqrt(warpSum(squares) / Width + epsilon);
#pragma unroll
  for (int k = 0; k < Each; ++k)
    out[32 * k + lane] =
        value[k] * scale * gamma[32 * k + lane] + beta[32 * k + lane];
}
