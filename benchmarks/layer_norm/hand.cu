// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: with n the normalised row and g = seed * gamma,
//   x gets (g - mean(g) - n * mean(g n)) * scale,
// two warp sums a row beside the primal's two; nothing is kept. The adjoints
// of gamma and beta are sums over all rows: a grid that just fills the card
// strides over the rows, lanes keep their columns' sums in registers to the
// end, the warps of a block meet in shared memory, and each block adds once a
// column. Seeds are left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Width = 256, Each = Width / 32, Warps = 8;

__device__ static real warpSum(real value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

extern "C" __global__ void __launch_bounds__(32 * Warps)
    layer_norm_hand(const real *__restrict__ x, const real *__restrict__ gamma,
                    const real *__restrict__ d_y, real *__restrict__ d_x,
                    real *__restrict__ d_gamma, real *__restrict__ d_beta,
                    real epsilon, int rows) {
  __shared__ real sums[Warps][Width];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  real weight[Each], sumGamma[Each] = {}, sumBeta[Each] = {};
#pragma unroll
  for (int k = 0; k < Each; ++k)
    weight[k] = gamma[32 * k + lane];
  for (int row = blockIdx.x * Warps + warp; row < rows;
       row += gridDim.x * Warps) {
    size_t first = (size_t)row * Width + lane;
    real value[Each], seed[Each], sum = 0, squares = 0;
#pragma unroll
    for (int k = 0; k < Each; ++k) {
      value[k] = x[first + 32 * k];
      seed[k] = d_y[first + 32 * k];
      sum += value[k];
    }
    real mean = warpSum(sum) / Width;
#pragma unroll
    for (int k = 0; k < Each; ++k) {
      value[k] -= mean;
      squares += value[k] * value[k];
    }
    real scale = rsqrt(warpSum(squares) / Width + epsilon);
    real along = 0, plain = 0;
#pragma unroll
    for (int k = 0; k < Each; ++k) {
      value[k] *= scale;
      sumGamma[k] += seed[k] * value[k];
      sumBeta[k] += seed[k];
      seed[k] *= weight[k];
      along += seed[k] * value[k];
      plain += seed[k];
    }
    along = warpSum(along) / Width;
    plain = warpSum(plain) / Width;
#pragma unroll
    for (int k = 0; k < Each; ++k)
      d_x[first + 32 * k] += (seed[k] - plain - value[k] * along) * scale;
  }
  auto addUp = [&](const real(&mine)[Each], real *target) {
    __syncthreads();
#pragma unroll
    for (int k = 0; k < Each; ++k)
      sums[warp][32 * k + lane] = mine[k];
    __syncthreads();
    real sum = 0;
#pragma unroll
    for (int w = 0; w < Warps; ++w)
      sum += sums[w][threadIdx.x];
    atomicAdd(&target[threadIdx.x], sum);
  };
  static_assert(Width == 32 * Warps, "a thread a column");
  addUp(sumGamma, d_gamma);
  addUp(sumBeta, d_beta);
}
