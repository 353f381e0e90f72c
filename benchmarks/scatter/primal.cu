// Values are transformed and added to the places that an index names.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void scatter(const real *__restrict__ x,
                                   const int *__restrict__ places,
                                   real *__restrict__ sums, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count)
    atomicAdd(&sums[places[i]], x[i] * x[i]);
}
