// An elementwise function of two streams.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void elementwise(const real *__restrict__ x,
                                       const real *__restrict__ y,
                                       real *__restrict__ z, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    z[i] = x[i] * tanh(y[i]) + exp(-x[i] * x[i]);
}
