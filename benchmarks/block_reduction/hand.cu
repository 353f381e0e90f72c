// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: a sum's adjoint is a broadcast: no shared memory, no barrier. Seeds are
// left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void block_reduction_hand(const real *__restrict__ x,
                                                const real *__restrict__ d_sums,
                                                real *__restrict__ d_x,
                                                int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  real a = x[i], s, c;
  sincos(a, &s, &c);
  d_x[i] += d_sums[blockIdx.x] * (s + a * c);
}
