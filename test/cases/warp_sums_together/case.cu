#ifndef REAL
#define REAL float
#endif
typedef REAL real;

__device__ static real fallingSum(real value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}
__device__ static real risingSum(real value) {
  for (int offset = 1; offset < 32; offset *= 2)
    value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

// A row a warp, rows of blocks being warps. What follows from a sum is the same
// for all lanes: an exponential of it, and the largest one so far.
extern "C" __global__ void attend(const real *__restrict__ queries,
                                  const real *__restrict__ keys,
                                  const real *__restrict__ values,
                                  const int *__restrict__ counts,
                                  real *__restrict__ outputs, real scale,
                                  int rows) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows)
    return;
  real query = queries[32 * row + lane];
  real largest = -INFINITY, total = 0, sum = 0;
  for (int j = 0; j < counts[row]; ++j) {
    real score = scale * fallingSum(query * keys[32 * j + lane]);
    real larger = fmax(largest, score);
    real shrink = exp(largest - larger), weight = exp(score - larger);
    total = total * shrink + weight;
    sum = sum * shrink + weight * values[32 * j + lane];
    largest = larger;
  }
  outputs[32 * row + lane] = total > 0 ? sum / total : query;
}

// Two sums in each iteration, the second of what follows from the first, and a
// number that is carried from one to the next.
extern "C" __global__ void carry(const real *__restrict__ keys,
                                 const real *__restrict__ values,
                                 const int *__restrict__ counts,
                                 real *__restrict__ carried, int rows) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  if (row >= rows)
    return;
  real state = 1;
  for (int j = 0; j < counts[row]; ++j) {
    real first = risingSum(keys[32 * j + lane] * values[32 * (j + row) + lane]);
    real second = risingSum(values[32 * j + lane] / (1 + first * first));
    state = state * real(0.5) + sin(first + lane) * second;
  }
  carried[32 * row + lane] += state;
}

// Arrays that may overlap, so that an iteration may read what another wrote.
extern "C" __global__ void inplace(real *carried, const real *values,
                                   int iterations) {
  int lane = threadIdx.x;
  for (int j = 0; j < iterations; ++j) {
    real sum = fallingSum(carried[lane] * values[32 * j + lane]);
    carried[32 + lane] += sum * values[lane];
  }
}
