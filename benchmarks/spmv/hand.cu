// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: eight lanes a row, so that values, columns and the values' shadow are
// read and written side by side; the vector's shadow is scattered to by
// reductions without a result. Seeds are left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Lanes = 8;

extern "C" __global__ void
spmv_hand(const real *__restrict__ values, const int *__restrict__ columns,
          const int *__restrict__ rows, const real *__restrict__ x,
          const real *__restrict__ d_y, real *__restrict__ d_values,
          real *__restrict__ d_x, int rowCount) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x;
  int row = thread / Lanes;
  if (row >= rowCount)
    return;
  real seed = d_y[row];
  int last = rows[row + 1];
  for (int k = rows[row] + thread % Lanes; k < last; k += Lanes) {
    int column = columns[k];
    d_values[k] += seed * x[column];
    atomicAdd(&d_x[column], seed * values[k]);
  }
}
