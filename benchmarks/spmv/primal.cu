// A sparse matrix in CSR form times a vector, a row a thread.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void spmv(const real *values, const int *columns,
                                const int *rows, const real *x, real *y,
                                int rowCount) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rowCount)
    return;
  real sum = 0;
  for (int k = rows[row]; k < rows[row + 1]; ++k)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}
