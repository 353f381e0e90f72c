// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: the weights' adjoints are sums over the whole grid. A grid that just
// fills the card strides over the samples; the 97 sums stay in registers to
// the end, when each warp reduces them by shuffles and adds once. Seeds are
// left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Inputs = 4, Hidden = 16;

/// The sum of \p value over the warp, added to \p target by one lane.
__device__ static void addWarp(real *target, real value) {
#pragma unroll
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  if (threadIdx.x % 32 == 0)
    atomicAdd(target, value);
}

extern "C" __global__ void __launch_bounds__(128)
    mlp_hand(const real *__restrict__ samples, const real *__restrict__ weights,
             const real *__restrict__ d_outputs, real *__restrict__ d_samples,
             real *__restrict__ d_weights, int count) {
  const real *biases = weights + Hidden * Inputs;
  const real *last = biases + Hidden;
  real sums[Hidden * Inputs] = {}, biasSums[Hidden] = {}, lastSums[Hidden] = {},
                     outputSum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    real sample[Inputs], passed[Inputs] = {};
#pragma unroll
    for (int k = 0; k < Inputs; ++k)
      sample[k] = samples[k * count + i];
    real seed = d_outputs[i];
    outputSum += seed;
#pragma unroll
    for (int j = 0; j < Hidden; ++j) {
      real sum = biases[j];
#pragma unroll
      for (int k = 0; k < Inputs; ++k)
        sum += weights[j * Inputs + k] * sample[k];
      real t = tanh(sum), g = seed * last[j] * (1 - t * t);
      lastSums[j] += seed * t;
      biasSums[j] += g;
#pragma unroll
      for (int k = 0; k < Inputs; ++k) {
        sums[j * Inputs + k] += g * sample[k];
        passed[k] += g * weights[j * Inputs + k];
      }
    }
#pragma unroll
    for (int k = 0; k < Inputs; ++k)
      d_samples[k * count + i] += passed[k];
  }
#pragma unroll
  for (int k = 0; k < Hidden * Inputs; ++k)
    addWarp(&d_weights[k], sums[k]);
  real *d_biases = d_weights + Hidden * Inputs, *d_last = d_biases + Hidden;
#pragma unroll
  for (int j = 0; j < Hidden; ++j) {
    addWarp(&d_biases[j], biasSums[j]);
    addWarp(&d_last[j], lastSums[j]);
  }
  addWarp(&d_last[Hidden], outputSum);
}
