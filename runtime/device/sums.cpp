//===- sums.cpp - Adjoints summed over warps and blocks, on the device ----===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the lanes of a warp, or the threads of a
// block, add to words that they share with one atomic addition a word?
//
// Compiled to bitcode when KDiff is built; the lower stage links it into the
// modules whose gradients need it. Freestanding: no CUDA header.
//
// A sum that is -0.0, the neutral element, is not added.
//
//===----------------------------------------------------------------------===//

#include "LaneSums.h"

/// Whether each lane of \p Mask has the address of its lane \p From, not in
/// local memory.
INLINE bool haveAddressOf(Word Mask, void *Address, int From) {
  auto Bits = (unsigned long long)Address;
  // Both exchanges by all lanes: no short cut.
  int Low = __nvvm_shfl_sync_idx_i32(Mask, int(Bits), From, 31);
  int High = __nvvm_shfl_sync_idx_i32(Mask, int(Bits >> 32), From, 31);
  return __nvvm_vote_all_sync(Mask, Low == int(Bits) &&
                                        High == int(Bits >> 32) &&
                                        !__nvvm_isspacep_local(Address));
}

//===--- Words of neighbouring lanes --------------------------------------===//

/// The thread adds to N words in a row, from \p Lowest on. Where each lane of a
/// full warp has its words one further than the lane before, a lane adds what
/// all add to its middle word; words that are no lane's middle one, at the
/// ends, are added by who has them.
template <int N, class T>
INLINE void addNeighbours(T *Lowest, const T *Values) {
  Word Mask = __nvvm_activemask();
  if (Mask != AllLanes || !haveAddressOf(AllLanes, Lowest - lane(), 0)) {
#pragma unroll
    for (int K = 0; K < N; ++K)
      addByLanes(Mask, false, Lowest + K, Values[K]);
    return;
  }
  constexpr int Middle = N / 2;
  T Sum = Values[Middle];
#pragma unroll
  for (int K = 0; K < N; ++K)
    if (K != Middle) {
      int From = lane() + Middle - K; // Whose word K is this lane's middle one.
      T Theirs = fromLane(AllLanes, Values[K], From);
      Sum += From >= 0 && From < WarpSize ? Theirs : T(-0.0);
    }
  addAtomic(Lowest + Middle, Sum);
#pragma unroll
  for (int K = 0; K < N; ++K) {
    int At = lane() + K - Middle;
    if (At < 0 || At >= WarpSize)
      addAtomic(Lowest + K, Values[K]);
  }
}

//===--- Places -----------------------------------------------------------===//

/// Of the calling thread in its block, and how many threads that has.
struct Place {
  int Warp, Threads;
};

INLINE Place place() {
  int NX = __nvvm_read_ptx_sreg_ntid_x(), NY = __nvvm_read_ptx_sreg_ntid_y();
  int Thread =
      __nvvm_read_ptx_sreg_tid_x() +
      NX * (__nvvm_read_ptx_sreg_tid_y() + NY * __nvvm_read_ptx_sreg_tid_z());
  return {Thread / WarpSize, NX * NY * __nvvm_read_ptx_sreg_ntid_z()};
}

//===--- Sums of a block --------------------------------------------------===//

/// All threads of the block add to the same N words. \p Rows: N values for each
/// warp, not in use. \p Turn tells which warp adds in the end.
template <int N, class T>
INLINE void addBlock(T *const *Words, const T *Values, SHARED T *Rows,
                     int Turn) {
  auto [Warp, Threads] = place();
  int Warps = (Threads + WarpSize - 1) / WarpSize;
  int Lanes = Threads - Warp * WarpSize; // of this warp
  constexpr int Share = WarpSize / N;
  if (Lanes >= WarpSize) {
    T Sum = transposedSum<N, WarpSize / 2>(Values);
    if (Warps == 1) {
      T *Mine = pick<N>(Words, lane() / Share);
      if (lane() % Share == 0)
        addAtomic(Mine, Sum);
      return;
    }
    if (lane() % Share == 0)
      Rows[Warp * N + lane() / Share] = Sum;
  } else {
    Word Mask = (1u << Lanes) - 1;
    T Sums[N];
#pragma unroll
    for (int K = 0; K < N; ++K)
      Sums[K] = sumOfLanes(Mask, Values[K]);
    if (Warps == 1) {
      if (lane() == 0)
#pragma unroll
        for (int K = 0; K < N; ++K)
          addAtomic(Words[K], Sums[K]);
      return;
    }
    if (lane() == 0)
#pragma unroll
      for (int K = 0; K < N; ++K)
        Rows[Warp * N + K] = Sums[K];
  }
  __syncthreads();
  // A full warp, lane by lane a word; lanes left over share its rows.
  if (Warp != Turn % (Threads / WarpSize))
    return;
  T Sum = T(-0.0);
  for (int Row = lane() / N; Row < Warps; Row += Share)
    Sum += Rows[Row * N + lane() % N];
#pragma unroll
  for (int D = N; D < WarpSize; D *= 2)
    Sum += across(Sum, D);
  T *Mine = pick<N>(Words, lane() % N);
  if (lane() < N)
    addAtomic(Mine, Sum);
}

//===--- Sums of a block's rows -------------------------------------------===//

/// Words of all lanes of a warp that there is room for in shared memory.
constexpr int RowsOfExchange = 64;

/// The sum of what \p Warps warps wrote to \p Row and the rows N behind.
template <int N, class T> INLINE T sumOfRows(const SHARED T *Row, int Warps) {
  constexpr int AtOnce = RowsOfExchange / N;
  T Sum = T(-0.0);
  if (Warps >= AtOnce) {
#pragma unroll
    for (int I = 0; I < AtOnce; ++I)
      Sum += Row[I * N * WarpSize];
  } else {
#pragma nounroll
    for (int I = 0; I < Warps; ++I)
      Sum += Row[I * N * WarpSize];
  }
  return Sum;
}

/// By a block of full warps, each of which has the same N words, of a lane
/// each: the warps write their values to \p Rows, as many warps as there is
/// room for; then a warp sums a word.
template <int N, class W, class T>
INLINE void exchangeRows(char *Base, const W *Words, const T *Values,
                         SHARED T *Rows, Place P) {
  constexpr int AtOnce = RowsOfExchange / N;
  int Warps = P.Threads / WarpSize;
  // Most blocks have no fewer warps than words.
  W Mine = pick<N>(Words, P.Warp);
  for (int First = 0; First < Warps; First += AtOnce) {
    if (First != 0)
      __syncthreads();
    int Turn = P.Warp - First;
    if (Turn >= 0 && Turn < AtOnce)
#pragma unroll
      for (int K = 0; K < N; ++K)
        Rows[(Turn * N + K) * WarpSize + lane()] = Values[K];
    __syncthreads();
    if (P.Warp < N)
      addAtomic(place<T>(Base, Mine),
                sumOfRows<N>(Rows + P.Warp * WarpSize + lane(), Warps - First));
#pragma nounroll
    for (int K = P.Warp + Warps; K < N; K += Warps)
      addAtomic(place<T>(Base, pick<N>(Words, K)),
                sumOfRows<N>(Rows + K * WarpSize + lane(), Warps - First));
  }
}

/// All threads of the block that have not ended add to N words each, which are
/// the same for all that have the same threadIdx.x. \p Rows: of this operation
/// alone, for all its calls: nobody reads it any more when all have met.
template <int N, class W, class T>
INLINE void addBlockRows(char *Base, const W *Words, const T *Values,
                         SHARED T *Rows) {
  Place P = place();
  int Length = __nvvm_read_ptx_sreg_ntid_x();
  bool Whole = __nvvm_bar0_popc(1) == P.Threads && P.Threads % WarpSize == 0;
  if (Whole && Length == WarpSize) {
    exchangeRows<N>(Base, Words, Values, Rows, P);
  } else if (Whole && Length < WarpSize && WarpSize % Length == 0) {
    // The halves of the warp have the same words: each keeps half of them.
    bool Upper = lane() & WarpSize / 2;
    T Half[N / 2];
    W Mine[N / 2];
#pragma unroll
    for (int K = 0; K < N / 2; ++K) {
      T Low = Values[K], High = Values[K + N / 2];
      Half[K] = (Upper ? High : Low) + across(Upper ? Low : High, WarpSize / 2);
      W LowWord = Words[K], HighWord = Words[K + N / 2];
      Mine[K] = Upper ? HighWord : LowWord;
    }
    exchangeRows<N / 2>(Base, Mine, Half, Rows, P);
  } else {
    addEach<N>(AllLanes, false, Base, Words, Values);
  }
}

//===--- Sums of the warps' columns ---------------------------------------===//

/// All threads of the block add to N words each, likely those that the same
/// lanes of the other warps add to. \p Rows: N rows of a value for each lane;
/// \p First: an address for each lane; neither in use but by the last call.
template <int N, class T>
INLINE void addColumns(T *const *Words, const T *Values, SHARED T *Rows,
                       T * SHARED * First) {
  Place P = place();
  int Warps = (P.Threads + WarpSize - 1) / WarpSize;
  bool Same = true;
#pragma unroll
  for (int K = 0; K < N; ++K) {
    if (P.Warp == 0)
      First[lane()] = Words[K];
    __syncthreads();
    // A block of less than a warp has no others to compare with.
    Same &= First[lane()] == Words[K];
    __syncthreads();
  }
  if (Warps == 1 || !__nvvm_bar0_and(Same)) {
#pragma unroll
    for (int K = 0; K < N; ++K)
      addAtomic(Words[K], Values[K]);
    return;
  }
  for (int Turn = 0; Turn < Warps; ++Turn) {
    if (P.Warp == Turn)
#pragma unroll
      for (int K = 0; K < N; ++K) {
        SHARED T &Sum = Rows[K * WarpSize + lane()];
        Sum = Turn == 0 ? Values[K] : Sum + Values[K];
      }
    __syncthreads();
  }
  // Full warps share the rows.
#pragma unroll
  for (int K = 0; K < N; ++K)
    if (P.Warp == K % (P.Threads / WarpSize))
      addAtomic(Words[K], Rows[K * WarpSize + lane()]);
}

//===--- What the lower stage calls ---------------------------------------===//

#define ENTRY extern "C" __attribute__((always_inline))

ENTRY Word __kd_lanes_together() { return __nvvm_activemask(); }

/// WarpSize if the lanes of \p Mask have one address, not in local memory;
/// else 1.
ENTRY int __kd_same_word_warp(Word Mask, void *Address) {
  return haveAddressOf(Mask, Address, __builtin_ctz(Mask)) ? WarpSize : 1;
}

/// The same; of a full warp also how many lanes beside each other have one
/// address, in aligned groups of a half or a quarter.
ENTRY int __kd_same_word_rows(Word Mask, void *Address) {
  if (haveAddressOf(Mask, Address, __builtin_ctz(Mask)))
    return WarpSize;
  if (Mask != AllLanes)
    return 1;
  if (haveAddressOf(Mask, Address, lane() & WarpSize / 2))
    return WarpSize / 2;
  return haveAddressOf(Mask, Address, lane() & WarpSize / 4 * 3) ? WarpSize / 4
                                                                 : 1;
}

/// Of a full warp, where rows of the block have one address: how many lanes
/// beside each other have one.
ENTRY int __kd_lanes_of_row(Word Mask) {
  int Length = __nvvm_read_ptx_sreg_ntid_x();
  return Mask != AllLanes         ? 1
         : Length % WarpSize == 0 ? WarpSize
         : Length == WarpSize / 2 ? WarpSize / 2
         : Length == WarpSize / 4 ? WarpSize / 4
                                  : 1;
}

/// Of a full warp: 4 if its four quarters, 2 if its halves have the same
/// addresses, not in local memory; else 1.
ENTRY int __kd_same_word_across(Word Mask, void *Address) {
  if (Mask != AllLanes ||
      !haveAddressOf(Mask, Address, lane() % (WarpSize / 2)))
    return 1;
  return haveAddressOf(Mask, Address, lane() % (WarpSize / 4)) ? 4 : 2;
}

#define SUMS_OF_LANES(Lanes, Function, Name, T, N)                             \
  ENTRY void __kd_add_##Lanes##_##Name##_##N(                                  \
      char *Base, T *const *Words, const T *Values, Word Mask, int Same) {     \
    Function<N>(Mask, Same, Base, Words, Values);                              \
  }                                                                            \
  ENTRY void __kd_add_##Lanes##_from_##Name##_##N(                             \
      char *Base, const int *Words, const T *Values, Word Mask, int Same) {    \
    Function<N>(Mask, Same, Base, Words, Values);                              \
  }
#define SUMS(Name, T, N)                                                       \
  SUMS_OF_LANES(warp, addWarp, Name, T, N)                                     \
  SUMS_OF_LANES(rows, addRows, Name, T, N)                                     \
  SUMS_OF_LANES(across, addAcross, Name, T, N)                                 \
  ENTRY void __kd_add_block_##Name##_##N(T *const *Words, const T *Values,     \
                                         SHARED T *Rows, int Turn) {           \
    addBlock<N>(Words, Values, Rows, Turn);                                    \
  }
#define COLUMNS(Name, T, N)                                                    \
  ENTRY void __kd_add_columns_##Name##_##N(                                    \
      T *const *Words, const T *Values, SHARED T *Rows, T * SHARED * First) {  \
    addColumns<N>(Words, Values, Rows, First);                                 \
  }
#define NEIGHBOURS(Name, T, N)                                                 \
  ENTRY void __kd_add_neighbours_##Name##_##N(T *Lowest, const T *Values) {    \
    addNeighbours<N>(Lowest, Values);                                          \
  }
#define NEIGHBOURS_OF_BOTH(N)                                                  \
  NEIGHBOURS(f32, float, N)                                                    \
  NEIGHBOURS(f64, double, N)
#define BLOCK_ROWS(Name, T, N)                                                 \
  ENTRY void __kd_add_block_rows_##Name##_##N(                                 \
      char *Base, T *const *Words, const T *Values, SHARED T *Rows) {          \
    addBlockRows<N>(Base, Words, Values, Rows);                                \
  }                                                                            \
  ENTRY void __kd_add_block_rows_from_##Name##_##N(                            \
      char *Base, const int *Words, const T *Values, SHARED T *Rows) {         \
    addBlockRows<N>(Base, Words, Values, Rows);                                \
  }
#define BLOCK_ROWS_OF_BOTH(N)                                                  \
  BLOCK_ROWS(f32, float, N)                                                    \
  BLOCK_ROWS(f64, double, N)
#define SUMS_OF_BOTH(N) SUMS(f32, float, N) SUMS(f64, double, N)
#define COLUMNS_OF_BOTH(N) COLUMNS(f32, float, N) COLUMNS(f64, double, N)
NEIGHBOURS_OF_BOTH(2)
NEIGHBOURS_OF_BOTH(3)
NEIGHBOURS_OF_BOTH(4)
NEIGHBOURS_OF_BOTH(5)
NEIGHBOURS_OF_BOTH(6)
NEIGHBOURS_OF_BOTH(7)
BLOCK_ROWS_OF_BOTH(4)
BLOCK_ROWS_OF_BOTH(8)
BLOCK_ROWS_OF_BOTH(16)
COLUMNS_OF_BOTH(1)
COLUMNS_OF_BOTH(2)
COLUMNS_OF_BOTH(4)
COLUMNS_OF_BOTH(8)
SUMS_OF_BOTH(1)
SUMS_OF_BOTH(2)
SUMS_OF_BOTH(4)
SUMS_OF_BOTH(8)
SUMS_OF_BOTH(16)
SUMS_OF_BOTH(32)
