// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: nothing but two numbers a query is kept, as in Dao, "FlashAttention-2"
// (2023): with the logarithm of the softmax' sum, a weight is one exponential,
// and the adjoint of a score is weight * (seed . value - mean), where the mean
// of seed . value is a query's constant. A first launch, a query a thread,
// needs no output for it: it sums weight * key and weight * (seed . value) *
// key beside the total, and has the query's adjoint when the mean is known. A
// second launch, a key a thread, gathers the adjoints of keys and values: no
// atomics. Rows of the other side pass through shared memory, from where all
// lanes read the same word. Seeds are left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int Depth = 32, Block = 128, Tile = 32;

struct alignas(4 * sizeof(real)) Four {
  real at[4];
};
/// Tile rows of two arrays.
struct Tiles {
  alignas(4 * sizeof(real)) real first[Tile][Depth], second[Tile][Depth];
};

__device__ static void load(real (&row)[Depth], const real *__restrict__ from,
                            int place) {
#pragma unroll
  for (int d = 0; d < Depth; d += 4) {
    Four four = *(const Four *)&from[place * Depth + d];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      row[d + k] = four.at[k];
  }
}
__device__ static void add(real *__restrict__ to, int place,
                           const real (&row)[Depth], real factor) {
#pragma unroll
  for (int d = 0; d < Depth; d += 4) {
    Four four = *(const Four *)&to[place * Depth + d];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      four.at[k] += factor * row[d + k];
    *(Four *)&to[place * Depth + d] = four;
  }
}
__device__ static real product(const real (&row)[Depth], const real *shared) {
  real sums[4] = {};
#pragma unroll
  for (int d = 0; d < Depth; d += 4) {
    Four four = *(const Four *)&shared[d];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      sums[k] += row[d + k] * four.at[k];
  }
  return sums[0] + sums[1] + (sums[2] + sums[3]);
}
__device__ static void addTo(real (&row)[Depth], real factor,
                             const real *shared) {
#pragma unroll
  for (int d = 0; d < Depth; d += 4) {
    Four four = *(const Four *)&shared[d];
#pragma unroll
    for (int k = 0; k < 4; ++k)
      row[d + k] += factor * four.at[k];
  }
}
/// Rows [begin, end) of two arrays, to shared memory.
__device__ static void fetch(Tiles &tiles, const real *__restrict__ first,
                             const real *__restrict__ second, int begin,
                             int end) {
  __syncthreads();
  for (int e = threadIdx.x; e < (end - begin) * Depth; e += Block) {
    (&tiles.first[0][0])[e] = first[begin * Depth + e];
    (&tiles.second[0][0])[e] = second[begin * Depth + e];
  }
  __syncthreads();
}

/// The queries' adjoints; for each query, \p logarithms gets that of the
/// softmax' sum and \p means the mean of seed . value.
extern "C" __global__ void __launch_bounds__(Block) attention_hand_queries(
    const real *__restrict__ queries, const real *__restrict__ keys,
    const real *__restrict__ values, const real *__restrict__ d_outputs,
    real *__restrict__ d_queries, real *__restrict__ logarithms,
    real *__restrict__ means, real scale, int count) {
  __shared__ Tiles tiles;
  int row = blockIdx.x * Block + threadIdx.x, head = blockIdx.y * count;
  real query[Depth] = {}, seed[Depth] = {}, plain[Depth] = {},
       along[Depth] = {};
  if (row < count) {
    load(query, queries, head + row);
    load(seed, d_outputs, head + row);
  }
  real largest = -INFINITY, total = 0, mean = 0;
  for (int first = 0; first < count; first += Tile) {
    int last = min(first + Tile, count);
    fetch(tiles, keys, values, head + first, head + last);
    for (int t = 0; t < last - first; ++t) {
      real score = scale * product(query, tiles.first[t]);
      if (score > largest) {
        real shrink = exp(largest - score);
        total *= shrink;
        mean *= shrink;
#pragma unroll
        for (int d = 0; d < Depth; ++d) {
          plain[d] *= shrink;
          along[d] *= shrink;
        }
        largest = score;
      }
      real weight = exp(score - largest);
      real passed = weight * product(seed, tiles.second[t]);
      total += weight;
      mean += passed;
      addTo(plain, weight, tiles.first[t]);
      addTo(along, passed, tiles.first[t]);
    }
  }
  if (row >= count)
    return;
  mean /= total;
#pragma unroll
  for (int d = 0; d < Depth; ++d)
    along[d] -= mean * plain[d];
  add(d_queries, head + row, along, scale / total);
  logarithms[head + row] = largest + log(total);
  means[head + row] = mean;
}

/// The keys' and values' adjoints.
extern "C" __global__ void __launch_bounds__(Block) attention_hand_keys(
    const real *__restrict__ queries, const real *__restrict__ keys,
    const real *__restrict__ values, const real *__restrict__ d_outputs,
    const real *__restrict__ logarithms, const real *__restrict__ means,
    real *__restrict__ d_keys, real *__restrict__ d_values, real scale,
    int count) {
  __shared__ Tiles tiles;
  int row = blockIdx.x * Block + threadIdx.x, head = blockIdx.y * count;
  real key[Depth] = {}, value[Depth] = {}, dKey[Depth] = {}, dValue[Depth] = {};
  if (row < count) {
    load(key, keys, head + row);
    load(value, values, head + row);
  }
  for (int first = 0; first < count; first += Tile) {
    int last = min(first + Tile, count);
    fetch(tiles, queries, d_outputs, head + first, head + last);
    for (int t = 0; t < last - first; ++t) {
      real score = scale * product(key, tiles.first[t]);
      real weight = exp(score - logarithms[head + first + t]);
      real passed = product(value, tiles.second[t]) - means[head + first + t];
      addTo(dValue, weight, tiles.second[t]);
      addTo(dKey, weight * passed, tiles.first[t]);
    }
  }
  if (row >= count)
    return;
  add(d_keys, head + row, dKey, scale);
  add(d_values, head + row, dValue, 1);
}
