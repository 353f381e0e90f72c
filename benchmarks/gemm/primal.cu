// A matrix product by square tiles in shared memory.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Tile = 16;

/// c = a b: \p a has \p rows rows of \p inner elements, \p b has \p inner rows
/// of \p columns; all three are multiples of Tile. A thread an element.
extern "C" __global__ void gemm(const real *__restrict__ a,
                                const real *__restrict__ b,
                                real *__restrict__ c, int rows, int inner,
                                int columns) {
  __shared__ real tileA[Tile][Tile], tileB[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * Tile + y, column = blockIdx.x * Tile + x;
  real sum = 0;
  for (int first = 0; first < inner; first += Tile) {
    tileA[y][x] = a[row * inner + first + x];
    tileB[y][x] = b[(first + y) * columns + column];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum += tileA[y][k] * tileB[k][x];
    __syncthreads();
  }
  c[row * columns + column] = sum;
}
