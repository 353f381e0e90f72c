#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Tiles whose columns all rows of the block read together, in a loop that is too
// long to be unrolled. Rows are as long as a warp, a half and a quarter of it, or
// neither; blocks have up to 16 warps; one has a partial warp.
extern "C" __global__ void columns(const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c,
                                   int depth) {
  __shared__ real left[32][21], right[20][33];
  int x = threadIdx.x, y = threadIdx.y, rows = blockDim.y, width = blockDim.x;
  real sum = 0;
  for (int first = 0; first < depth; first += 20) {
    for (int k = x; k < 20; k += width)
      left[y][k] = a[y * depth + first + k];
    for (int k = y; k < 20; k += rows)
      right[k][x] = b[(first + k) * width + x];
    __syncthreads();
    for (int k = 0; k < 20; ++k)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[y * width + x] = sum * sum;
}
