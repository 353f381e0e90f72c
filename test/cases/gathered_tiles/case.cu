#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Products of tiles, in loops that all threads of the block run together. The adjoint of a word of a tile is a sum over the
// threads of a row, or a column, of the block.

// Square tiles, as many as the block has threads.
template <int Tile>
__device__ void product(const real *a, const real *b, real *c, int inner, int columns) {
  __shared__ real left[Tile][Tile], right[Tile][Tile];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * Tile + y, column = blockIdx.x * Tile + x;
  real sum = 0;
  for (int first = 0; first < inner; first += Tile) {
    left[y][x] = a[row * inner + first + x];
    right[y][x] = b[(first + y) * columns + column];
    __syncthreads();
    for (int k = 0; k < Tile; ++k)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[row * columns + column] = sum * sum;
}

extern "C" __global__ void sixteen(const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c, int inner,
                                   int columns) {
  product<16>(a, b, c, inner, columns);
}

// What a thread needs for several seeds at once has to leave room for 1024 of them.
extern "C" __global__ void __launch_bounds__(1024) thirty_two(const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c, int inner,
                                      int columns) {
  product<32>(a, b, c, inner, columns);
}

extern "C" __global__ void twenty(const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c, int inner,
                                  int columns) {
  product<20>(a, b, c, inner, columns);
}

extern "C" __global__ void eight(const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c, int inner,
                                 int columns) {
  product<8>(a, b, c, inner, columns);
}

// c = aT b; the left tile is read along its columns, and rows have a padding.
extern "C" __global__ void transposed(const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c, int rows,
                                      int inner, int columns) {
  __shared__ real left[16][17], right[16][17];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  real sum = 0;
  for (int first = 0; first < inner; first += 16) {
    left[y][x] = a[(first + y) * rows + blockIdx.y * 16 + x];
    right[y][x] = b[(first + y) * columns + column];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += left[k][y] * right[k][x];
    __syncthreads();
  }
  c[row * columns + column] = sum;
}

// Blocks of any shape of up to 16 x 16 threads in any number of layers, of which the first fills the tiles: no line needs to be
// as long as it has words. Threads behind the last row have ended. The sum begins anew for each tile, and goes on by fma.
extern "C" __global__ void ragged(const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c, int rows, int inner,
                                  int columns) {
  __shared__ real left[16][16], right[16][16];
  int x = threadIdx.x, y = threadIdx.y, z = threadIdx.z;
  if (y >= rows)
    return;
  real total = 0;
  for (int first = 0; first < inner; first += 16) {
    if (z == 0)
      for (int k = x; k < 16; k += blockDim.x)
        left[y][k] = a[y * inner + first + k];
    if (z == 0)
      for (int k = y; k < 16; k += rows)
        right[k][x] = b[(first + k) * columns + x];
    __syncthreads();
    real sum = 0;
    for (int k = 0; k < 16; ++k)
      sum = fma(right[k][x], left[y][k], sum);
    total += sum * (1 + z);
    __syncthreads();
  }
  c[(z * rows + y) * columns + x] = total;
}

// A product of a zero seed is zero, whatever it is multiplied with: columns of the right tile whose divisor is zero are infinite,
// and nobody wants their results.
extern "C" __global__ void infinite(const real *__restrict__ a, const real *__restrict__ b, const real *__restrict__ divisors,
                                    real *__restrict__ c, int inner, int columns) {
  __shared__ real left[16][16], right[16][16];
  int x = threadIdx.x, y = threadIdx.y;
  real sum = 0;
  for (int first = 0; first < inner; first += 16) {
    left[y][x] = a[y * inner + first + x];
    right[y][x] = b[(first + y) * columns + x] / divisors[x];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += left[y][k] * right[k][x];
    __syncthreads();
  }
  c[y * columns + x] = sum;
}

// Each row of the block has a right tile of its own.
extern "C" __global__ void batched(const real *__restrict__ a, const real *__restrict__ b, real *__restrict__ c, int inner) {
  __shared__ real left[4][16], right[4][16][16];
  int x = threadIdx.x, y = threadIdx.y;
  real sum = 0;
  for (int first = 0; first < inner; first += 16) {
    left[y][x] = a[y * inner + first + x];
    for (int k = 0; k < 16; ++k)
      right[y][k][x] = b[(y * inner + first + k) * 16 + x];
    __syncthreads();
    for (int k = 0; k < 16; ++k)
      sum += left[y][k] * right[y][k][x];
    __syncthreads();
  }
  c[y * 16 + x] = sum;
}
