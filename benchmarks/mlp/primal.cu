// A small network, a sample a thread, with weights in global memory.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Inputs = 4, Hidden = 16;

/// \p weights: Hidden rows of Inputs, Hidden biases, Hidden output weights, one
/// output bias. \p samples holds Inputs arrays of \p count, one after the
/// other.
extern "C" __global__ void mlp(const real *__restrict__ samples,
                               const real *__restrict__ weights,
                               real *__restrict__ outputs, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  const real *biases = weights + Hidden * Inputs;
  const real *last = biases + Hidden;
  real output = last[Hidden];
  for (int j = 0; j < Hidden; ++j) {
    real sum = biases[j];
    for (int k = 0; k < Inputs; ++k)
      sum += weights[j * Inputs + k] * samples[k * count + i];
    output += last[j] * tanh(sum);
  }
  outputs[i] = output;
}
