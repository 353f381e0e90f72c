#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Lanes = 16;

// Softmax in one pass. The two halves of a warp make different numbers of
// steps, and exchange among themselves.
extern "C" __global__ void softmax(const real *__restrict__ queries,
                                   const real *__restrict__ keys,
                                   const int *__restrict__ lengths,
                                   real *__restrict__ outputs) {
  int t = threadIdx.x, lane = t % Lanes, steps = lengths[t / Lanes];
  unsigned mask = 0xffffu << t / Lanes % 2 * Lanes;
  real query = queries[t], largest = -10, total = 0, sum = 0;
  for (int j = 0; j < steps; ++j) {
    real key = keys[j * Lanes + lane], score = query * key;
    for (int offset = Lanes / 2; offset > 0; offset /= 2)
      score += __shfl_xor_sync(mask, score, offset);
    real larger = fmax(largest, score);
    real shrink = exp(largest - larger), weight = exp(score - larger);
    total = total * shrink + weight;
    sum = sum * shrink + weight * key;
    largest = larger;
  }
  outputs[t] = sum / total;
}
