#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Block = 96;

// The barriers come before the fill and before the reads, none behind them.
// Numbers are computed before they are stored, the last tile is not full, and
// a tile of integers says which words are read. One tile is read again at last.
extern "C" __global__ void computed(const real *x, const int *places,
                                    const real *w, real *y, int count) {
  __shared__ real tile[Block];
  __shared__ int from[Block];
  int t = threadIdx.x;
  real sum = 0;
  for (int first = 0; first < count; first += Block) {
    int i = first + t;
    real v = i < count ? x[blockIdx.x * count + i] : 0;
    __syncthreads();
    tile[t] = v * v + w[t];
    from[t] = places[i];
    __syncthreads();
    real read = tile[from[Block - 1 - t]];
    sum += read * read;
  }
  y[blockIdx.x * Block + t] = sum * tile[t];
}

// What was read decides and counts behind the barrier that ends the reads.
extern "C" __global__ void used_behind(const real *__restrict__ x,
                                       real *__restrict__ y, int tiles) {
  __shared__ real tile[Block];
  int t = threadIdx.x;
  real sum = 0;
  for (int k = 0; k < tiles; ++k) {
    tile[t] = x[(blockIdx.x * tiles + k) * Block + t];
    __syncthreads();
    real read = tile[Block - 1 - t];
    __syncthreads();
    if (read > 0)
      sum += read * read * read;
  }
  y[blockIdx.x * Block + t] += sum;
}

// The tile has no derivative. An outer loop goes over rows, an inner one over
// the tile.
extern "C" __global__ void weights(const real *__restrict__ x,
                                   const real *__restrict__ factors,
                                   real *__restrict__ z, int rows, int tiles,
                                   int width) {
  __shared__ real tile[Block];
  int t = threadIdx.x;
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    real sum = 0;
    for (int k = 0; k < tiles; ++k) {
      tile[t] = factors[(row * tiles + k) * Block + t];
      __syncthreads();
      for (int j = 0; j < width; ++j) {
        real v = x[k * Block + (t + j) % Block];
        sum += tile[(t * 5 + j) % Block] * v * v;
      }
      __syncthreads();
    }
    z[row * Block + t] = sum;
  }
}
