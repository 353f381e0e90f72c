// The adjoint of primal.cu, written by hand.
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Idea: two matrix products, dA += dC B^T and dB += A^T dC, in one launch, so
// that together they fill the card. A block makes a tile of 128 x 64 elements,
// a thread 8 x 4 of them in registers: twelve shared words serve 32 fused
// multiply-adds, where the primal reads two for each. The next tiles are
// fetched while the present ones are used. Single precision stays single: no
// tensor cores. Seeds are left as they are.

#ifndef REAL
#define REAL float
#endif
typedef REAL real;

constexpr int TileRows = 128, TileColumns = 64, Depth = 16, Threads = 256;
// A padding of four words keeps vectors aligned and transposed writes apart.
constexpr int PaddedRows = TileRows + 4, PaddedColumns = TileColumns + 4;

struct alignas(4 * sizeof(real)) Four {
  real at[4];
};
struct Tiles {
  alignas(4 * sizeof(real)) real left[Depth][PaddedRows];
  alignas(4 * sizeof(real)) real right[Depth][PaddedColumns];
};

/// A factor of \p length lines (rows of a left one, columns of a right one)
/// along \p depth; consecutive words are those of a line (Along) or of one
/// place of neighbouring lines.
template <bool Along> struct Factor {
  const real *data;
  int length, depth, stride;
  /// Place \p e of a tile of \p Lines lines, counted as memory lies.
  template <int Lines> __device__ static void split(int e, int &line, int &t) {
    line = Along ? e / Depth : e % Lines;
    t = Along ? e % Depth : e / Lines;
  }
  __device__ real at(int line, int t) const {
    if (line >= length || t >= depth)
      return 0;
    return data[Along ? line * stride + t : t * stride + line];
  }
};

/// Adds a tile of left * right to \p out, whose rows have \p right.length
/// elements.
template <bool Along>
__device__ static void multiply(Tiles &tiles, Factor<Along> left,
                                Factor<Along> right, real *__restrict__ out,
                                int tile) {
  constexpr int EachLeft = TileRows * Depth / Threads;
  constexpr int EachRight = TileColumns * Depth / Threads;
  int across = (right.length + TileColumns - 1) / TileColumns;
  int firstRow = tile / across * TileRows;
  int firstColumn = tile % across * TileColumns;
  int thread = threadIdx.x, x = thread % 16 * 4, y = thread / 16 * 4;
  real nextLeft[EachLeft], nextRight[EachRight], sums[8][4] = {};
  int line, t;
  auto fetch = [&](int first) {
#pragma unroll
    for (int e = 0; e < EachLeft; ++e) {
      left.template split<TileRows>(thread + e * Threads, line, t);
      nextLeft[e] = left.at(firstRow + line, first + t);
    }
#pragma unroll
    for (int e = 0; e < EachRight; ++e) {
      right.template split<TileColumns>(thread + e * Threads, line, t);
      nextRight[e] = right.at(firstColumn + line, first + t);
    }
  };
  fetch(0);
  for (int first = 0; first < left.depth; first += Depth) {
    __syncthreads();
#pragma unroll
    for (int e = 0; e < EachLeft; ++e) {
      left.template split<TileRows>(thread + e * Threads, line, t);
      tiles.left[t][line] = nextLeft[e];
    }
#pragma unroll
    for (int e = 0; e < EachRight; ++e) {
      right.template split<TileColumns>(thread + e * Threads, line, t);
      tiles.right[t][line] = nextRight[e];
    }
    __syncthreads();
    if (first + Depth < left.depth)
      fetch(first + Depth);
#pragma unroll
    for (int t = 0; t < Depth; ++t) {
      Four low = *(const Four *)&tiles.left[t][y];
      Four high = *(const Four *)&tiles.left[t][y + 64];
      Four b = *(const Four *)&tiles.right[t][x];
#pragma unroll
      for (int r = 0; r < 4; ++r)
#pragma unroll
        for (int c = 0; c < 4; ++c) {
          sums[r][c] += low.at[r] * b.at[c];
          sums[r + 4][c] += high.at[r] * b.at[c];
        }
    }
  }
#pragma unroll
  for (int r = 0; r < 8; ++r) {
    int row = firstRow + y + r % 4 + r / 4 * 64;
    if (row < left.length)
#pragma unroll
      for (int c = 0; c < 4; ++c)
        if (firstColumn + x + c < right.length)
          out[row * right.length + firstColumn + x + c] += sums[r][c];
  }
}

/// \p tilesOfA blocks make d_a, the others d_b.
extern "C" __global__ void __launch_bounds__(Threads)
    gemm_hand(const real *__restrict__ a, const real *__restrict__ b,
              const real *__restrict__ d_c, real *__restrict__ d_a,
              real *__restrict__ d_b, int rows, int inner, int columns,
              int tilesOfA) {
  __shared__ Tiles tiles;
  int tile = blockIdx.x;
  if (tile < tilesOfA)
    multiply<true>(tiles, {d_c, rows, columns, columns},
                   {b, inner, columns, columns}, d_a, tile);
  else
    multiply<false>(tiles, {a, inner, rows, inner},
                    {d_c, columns, rows, columns}, d_b, tile - tilesOfA);
}
