// A sparse matrix in CSR form times a vector, a row a thread.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

extern "C" __global__ void spmv(const real *__restrict__ values,
                                const int *__restrict__ columns,
                                const int *__restrict__ rows,
                                const real *__restrict__ x,
                                real *__restrict__ y, int rowCount) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rowCount)
    return;
  real sum = 0;
  for (int k = rows[row]; k < rows[row + 1]; ++k)
    sum += values[k] * x[columns[k]];
  y[row] = sum;
}
