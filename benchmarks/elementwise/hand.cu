// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: each value is read once, shadows are read, added to and written once;
// seeds are left as they are. Nothing else can be saved: it streams.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void elementwise_hand(const real *__restrict__ x,
                                            const real *__restrict__ y,
                                            const real *__restrict__ d_z,
                                            real *__restrict__ d_x,
                                            real *__restrict__ d_y, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  real a = x[i], seed = d_z[i], t = tanh(y[i]);
  d_x[i] += seed * (t - 2 * a * exp(-a * a));
  d_y[i] += seed * a * (1 - t * t);
}
