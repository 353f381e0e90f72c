// A polynomial whose sixteen coefficients all threads share.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Degree = 16;

extern "C" __global__ void uniform(const real *__restrict__ x,
                                   const real *__restrict__ coefficients,
                                   real *__restrict__ y, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count)
    return;
  real sum = 0;
  for (int k = Degree - 1; k >= 0; --k)
    sum = sum * x[i] + coefficients[k];
  y[i] = sum;
}
