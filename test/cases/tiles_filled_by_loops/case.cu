#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Block = 96, Many = 200, Few = 40;

// A few threads fill the tile's margin, loops fill tiles that are larger and
// smaller than the block.
extern "C" __global__ void margins(const real *__restrict__ x,
                                   const real *__restrict__ many,
                                   const real *__restrict__ few,
                                   real *__restrict__ y, int count, int taps) {
  __shared__ real tile[Block + 8], larger[Many], smaller[Few];
  int t = threadIdx.x;
  real sum = 0;
  for (int first = 0, k = 0; first < count; first += Block, ++k) {
    int i = first + t;
    tile[t] = i < count ? x[i] : 0;
    if (t < taps)
      tile[Block + t] = i + Block < count ? x[i + Block] : 0;
    for (int e = t; e < Many; e += blockDim.x)
      larger[e] = many[k * Many + e];
    for (int e = t; e < Few; e += blockDim.x)
      smaller[e] = few[k * Few + e];
    __syncthreads();
    for (int j = 0; j < taps; ++j)
      sum += tile[t + j] * tile[t + j] * larger[(7 * t + j) % Many] *
             smaller[(t + j) % Few];
    __syncthreads();
  }
  y[t] = sum;
}
