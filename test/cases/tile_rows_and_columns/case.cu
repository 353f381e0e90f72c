#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Tiles whose words are read by a row of the block, or by a column of it. Rows are
// a half, a quarter, and all of a warp long, or no part of it; warps are partial;
// odd rows read some words once more.
extern "C" __global__ void tiles(const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c) {
  __shared__ real left[8][33], right[8][33];
  int x = threadIdx.x, y = threadIdx.y + blockDim.y * threadIdx.z;
  int rows = blockDim.y * blockDim.z, columns = blockDim.x;
  left[y][x] = a[y * columns + x];
  for (int k = y; k < 8; k += rows)
    right[k][x] = b[k * columns + x];
  __syncthreads();
  real sum = 0;
  for (int k = 0; k < 8; ++k)
    sum += left[y][k] * right[k][x];
  if (y % 2 == 1)
    sum += left[y][3] * right[2][x];
  c[y * columns + x] = sum * sum;
}
