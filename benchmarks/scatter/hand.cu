// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: the adjoint of a scattered sum is a gather; the sums themselves are not
// wanted, so nothing is added atomically. Seeds are left as they are, which is
// also what the contract asks of places that are only added to.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void scatter_hand(const real *__restrict__ x,
                                        const int *__restrict__ places,
                                        const real *__restrict__ d_sums,
                                        real *__restrict__ d_x, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    d_x[i] += 2 * x[i] * d_sums[places[i]];
}
