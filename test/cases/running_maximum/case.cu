#ifndef REAL
#define REAL float
#endif
typedef REAL real;

// Sums that are scaled anew wherever a maximum grows, tile by tile, from what
// the thread starts with. The last result depends on the maximum itself.
extern "C" __global__ void tiled(const real *__restrict__ scores,
                                 const real *__restrict__ values,
                                 const real *__restrict__ starts,
                                 const int *__restrict__ tiles, real *results,
                                 int width) {
  int t = threadIdx.x;
  real most = starts[2 * t], total = starts[2 * t + 1], sum = 0;
  for (int tile = 0; tile < tiles[t]; ++tile)
    for (int j = 0; j < width; ++j) {
      int place = (4 * t + tile) * width + j;
      real score = 2 * scores[place];
      real larger = fmax(most, score);
      real shrink = exp(most - larger), weight = exp(score - larger);
      total = total * shrink + weight;
      sum = sum * shrink + weight * values[place] * values[place];
      most = larger;
    }
  results[3 * t] = sum / total;
  results[3 * t + 1] = most + log(total);
  results[3 * t + 2] = sum;
}

// The same by powers of two, with a comparison, from nothing.
extern "C" __global__ void powers(const real *__restrict__ scores,
                                  const int *__restrict__ tiles, real *results,
                                  int width) {
  int t = threadIdx.x;
  real most = -INFINITY, total = 0;
  for (int j = 0; j < width * tiles[t]; ++j) {
    real score = scores[4 * t * width + j];
    real larger = score > most ? score : most;
    total = total * exp2(most - larger) + exp2(score - larger);
    most = larger;
  }
  if (tiles[t])
    results[3 * t + 2] += 3 * most * total;
}
