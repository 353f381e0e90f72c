//===- gather.cpp - Sums over a block's lines by one thread, on the device ===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a thread sum the products of the seeds
// of its row (or column) of the block and a line of a tile
// (pass/plan/Gather.h)?
//
// Compiled to bitcode when KDiff is built; the lower stage links it into the
// modules whose gradients need it. Freestanding: no CUDA header.
//
// A product of a seed that is zero is zero, whatever the factor is. That is not
// tested for each: only where a sum is not a number it is made again with care.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

/// The calling thread's place in its line, and the number of lines' threads.
template <bool AlongY> INLINE int place() {
  return AlongY ? __nvvm_read_ptx_sreg_tid_y() : __nvvm_read_ptx_sreg_tid_x();
}
template <bool AlongY> INLINE int length() {
  return AlongY ? __nvvm_read_ptx_sreg_ntid_y() : __nvvm_read_ptx_sreg_ntid_x();
}

/// The seeds of the line, of which \p All has those of all threads of the
/// block, and how far apart they are there.
template <bool AlongY, class T>
INLINE const SHARED T *seedsOfLine(const SHARED T *All) {
  return All + (AlongY ? __nvvm_read_ptx_sreg_tid_x()
                       : __nvvm_read_ptx_sreg_tid_y() *
                             __nvvm_read_ptx_sreg_ntid_x());
}
template <bool AlongY> INLINE int seedStride() {
  return AlongY ? __nvvm_read_ptx_sreg_ntid_x() : 1;
}

/// Bytes that one access of shared memory can read.
constexpr int VectorBytes = 16;
/// All banks of shared memory together have words of so many bytes.
constexpr int BankBytes = 128;

constexpr int least(int A, int B) { return A < B ? A : B; }

/// N numbers as few accesses of shared memory read them, where they are aligned
/// as a whole, or one by one.
template <int N, bool Aligned, class T>
INLINE void read(T *Numbers, const SHARED char *From, int Apart) {
  if constexpr (Aligned && N > 1) {
    constexpr int Length = least(N, VectorBytes / sizeof(T));
    typedef T Vector __attribute__((ext_vector_type(Length)));
#pragma unroll
    for (int V = 0; V < N / Length; ++V) {
      Vector Now = reinterpret_cast<const SHARED Vector *>(From)[V];
#pragma unroll
      for (int I = 0; I < Length; ++I)
        Numbers[V * Length + I] = Now[I];
    }
  } else {
#pragma unroll
    for (int I = 0; I < N; ++I)
      Numbers[I] = *reinterpret_cast<const SHARED T *>(From + I * Apart);
  }
}

// The sums of a line are made by K threads. Where a warp has R lines, of rows
// or of columns, the R lanes at one place of them share the work: each makes a
// part of the sums of all R, from factors (of rows) or seeds (of columns) that
// they would all read; then they exchange the parts.

/// In which of the R lines of its warp the lane is; W lanes are in a row.
template <int R> INLINE int lineOfWarp() { return lane() / (WarpSize / R); }

/// How many factors are read at once.
template <int K, int R, bool Aligned, class T>
constexpr int Together = Aligned ? least(VectorBytes / sizeof(T), K / R) : 1;

/// Of a row of factors: the first of the \p C-th that a lane reads at once.
/// Lanes whose rows begin in the same bank begin at different ones.
template <int K, int R, bool Aligned, class T>
INLINE int factorAt(int C, int Step) {
  constexpr int Length = Together<K, R, Aligned, T>, Parts = K / Length;
  int Turn = Aligned ? Step * place<false>() / BankBytes : 0;
  return ((lineOfWarp<R>() * (Parts / R) + C) ^ (Turn & (Parts - 1))) * Length;
}

/// The seeds that a lane needs, in the order in which it uses them.
template <int K, int R, bool AlongY, bool Aligned, class T>
INLINE void seeds(const SHARED T *All, int Step, T *Seeds) {
  const SHARED T *Line = seedsOfLine<AlongY>(All);
  if constexpr (AlongY) {
    int Stride = seedStride<AlongY>();
#pragma unroll
    for (int J = 0; J < K / R; ++J)
      Seeds[J] = Line[(lineOfWarp<R>() * (K / R) + J) * Stride];
  } else {
    constexpr int Length = Together<K, R, Aligned, T>;
    Line -= lineOfWarp<R>() * K;
#pragma unroll
    for (int J = 0; J < K / R; ++J)
#pragma unroll
      for (int L = 0; L < R; ++L)
        Seeds[J * R + L] =
            Line[L * K + factorAt<K, R, Aligned, T>(J / Length, Step) +
                 J % Length];
  }
}

/// The sum of \p N products, with zeros where seeds are zero.
template <class T>
__attribute__((noinline)) static T
sumWithCare(const SHARED T *Seeds, int SeedStride, const SHARED char *Factors,
            int FactorStride, int N) {
  T Sum = T(-0.0);
#pragma nounroll
  for (int J = 0; J < N; ++J) {
    T Seed = Seeds[J * SeedStride];
    if (Seed != 0)
      Sum += Seed * *reinterpret_cast<const SHARED T *>(Factors);
    Factors += FactorStride;
  }
  return Sum;
}

INLINE float multiplyAdd(float X, float Y, float Z) {
  return __builtin_fmaf(X, Y, Z);
}
INLINE double multiplyAdd(double X, double Y, double Z) {
  return __builtin_fma(X, Y, Z);
}

/// The lane's parts of the sums of R rows.
template <int K, int R, bool Aligned, class T>
INLINE void sumRows(T *Sums, const T *Seeds, const SHARED char *Factors,
                    int Step, int Stride) {
  constexpr int Length = Together<K, R, Aligned, T>;
#pragma unroll
  for (int C = 0; C < K / R / Length; ++C) {
    T Now[Length];
    read<Length, Aligned>(
        Now, Factors + factorAt<K, R, Aligned, T>(C, Step) * Stride, Stride);
#pragma unroll
    for (int I = 0; I < Length; ++I)
#pragma unroll
      for (int L = 0; L < R; ++L)
        Sums[L] = multiplyAdd(Seeds[(C * Length + I) * R + L], Now[I], Sums[L]);
  }
}

/// The same of R columns' words, the first of which has \p Factors. \p Aligned:
/// those of R words for one thread, if there are several, else those of a word.
template <int K, int R, bool Aligned, class T>
INLINE void sumColumns(T *Sums, const T *Seeds, const SHARED char *Factors,
                       int Step, int Stride) {
  Factors += lineOfWarp<R>() * (K / R) * Stride;
  if constexpr (R == 1) {
    T Now[K];
    read<K, Aligned>(Now, Factors, Stride);
#pragma unroll
    for (int J = 0; J < K; ++J)
      Sums[0] = multiplyAdd(Seeds[J], Now[J], Sums[0]);
  } else {
#pragma unroll
    for (int J = 0; J < K / R; ++J) {
      T Now[R];
      read<R, Aligned>(Now, Factors + J * Stride, Step);
#pragma unroll
      for (int L = 0; L < R; ++L)
        Sums[L] = multiplyAdd(Seeds[J], Now[L], Sums[L]);
    }
  }
}

// The calling thread's line shares words, \p WordStep bytes apart from \p Word
// on. To word k, a thread adds its seed times what lies at \p Factor + k
// \p Step, which is \p Stride bytes further for the next thread of the line.

/// The sum over the line, of K threads, for the calling thread's word of K.
/// With R > 1, warps are full, and have R rows. \p Seeds: as of seeds(). \p
/// Aligned: what a lane reads at once of factors is.
template <int K, int R, bool AlongY, bool Aligned, class T>
INLINE T gather(const SHARED char *Factor, int Step, int Stride,
                const SHARED T *All, const T *Seeds) {
  int Mine = place<AlongY>();
  Factor += Mine * (Step - Stride); // The first thread's, of word Mine.
  T Sums[R];
#pragma unroll
  for (int L = 0; L < R; ++L)
    Sums[L] = T(-0.0);
  if constexpr (AlongY)
    sumColumns<K, R, Aligned>(Sums, Seeds, Factor - lineOfWarp<R>() * Step,
                              Step, Stride);
  else
    sumRows<K, R, Aligned>(Sums, Seeds, Factor, Step, Stride);
  T Sum = exchange<R, WarpSize / 2>(Sums);
  if (Sum != Sum)
    Sum = sumWithCare(seedsOfLine<AlongY>(All), seedStride<AlongY>(), Factor,
                      Stride, K);
  return Sum;
}

/// Adds those sums to \p Count words, for a line of any length.
template <bool AlongY, class T>
INLINE void gatherAll(SHARED char *Word, int WordStep,
                      const SHARED char *Factor, int Step, int Stride,
                      int Count, const SHARED T *All) {
  int Mine = place<AlongY>(), Length = length<AlongY>();
  Factor -= Mine * Stride;
#pragma nounroll
  for (int W = Mine; W < Count; W += Length)
    *reinterpret_cast<SHARED T *>(Word + W * WordStep) +=
        sumWithCare(seedsOfLine<AlongY>(All), seedStride<AlongY>(),
                    Factor + W * Step, Stride, Length);
}

//===--- What the lower stage calls ---------------------------------------===//

#define ENTRY extern "C" __attribute__((always_inline))

/// By all threads of the block that have not ended: whether that is all of a
/// block without threadIdx.z.
ENTRY bool __kd_gather_is_whole() {
  int Threads = __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_ntid_y();
  return __nvvm_bar0_popc(1) == Threads && __nvvm_read_ptx_sreg_ntid_z() == 1;
}

#define SHARE(Name, T)                                                         \
  ENTRY void __kd_gather_share_##Name(T Seed, SHARED T *All) {                 \
    All[__nvvm_read_ptx_sreg_tid_x() +                                         \
        __nvvm_read_ptx_sreg_ntid_x() * __nvvm_read_ptx_sreg_tid_y()] = Seed;  \
    __syncthreads();                                                           \
  }
#define GATHER(Line, AlongY, Aligned, Name, T, K, R)                           \
  ENTRY void __kd_gather_seeds_##Line##_##Name##_##K##_##R(                    \
      const SHARED T *All, int Step, T *Seeds) {                               \
    seeds<K, R, AlongY, Aligned>(All, Step, Seeds);                            \
  }                                                                            \
  ENTRY T __kd_gather_##Line##_##Name##_##K##_##R(                             \
      const SHARED char *Factor, int Step, int Stride, const SHARED T *All,    \
      const T *Seeds) {                                                        \
    return gather<K, R, AlongY, Aligned>(Factor, Step, Stride, All, Seeds);    \
  }
#define GATHER_ALL(Line, AlongY, Name, T)                                      \
  ENTRY void __kd_gather_##Line##_##Name(                                      \
      SHARED char *Word, int WordStep, const SHARED char *Factor, int Step,    \
      int Stride, int Count, const SHARED T *All) {                            \
    gatherAll<AlongY>(Word, WordStep, Factor, Step, Stride, Count, All);       \
  }
#define ROWS(Name, T, K, R)                                                    \
  GATHER(row, false, false, Name, T, K, R)                                     \
  GATHER(aligned_row, false, true, Name, T, K, R)
#define COLUMNS(Name, T, K, R)                                                 \
  GATHER(column, true, false, Name, T, K, R)                                   \
  GATHER(aligned_column, true, true, Name, T, K, R)
#define ROWS_OF_BOTH(K, R) ROWS(f32, float, K, R) ROWS(f64, double, K, R)
#define COLUMNS_OF_BOTH(K, R)                                                  \
  COLUMNS(f32, float, K, R) COLUMNS(f64, double, K, R)
SHARE(f32, float)
SHARE(f64, double)
GATHER_ALL(row, false, f32, float)
GATHER_ALL(row, false, f64, double)
GATHER_ALL(column, true, f32, float)
GATHER_ALL(column, true, f64, double)
ROWS_OF_BOTH(4, 1)
ROWS_OF_BOTH(8, 1)
ROWS_OF_BOTH(8, 4)
ROWS_OF_BOTH(16, 1)
ROWS_OF_BOTH(16, 2)
ROWS_OF_BOTH(32, 1)
COLUMNS_OF_BOTH(4, 1)
COLUMNS_OF_BOTH(4, 2)
COLUMNS_OF_BOTH(4, 4)
COLUMNS_OF_BOTH(8, 1)
COLUMNS_OF_BOTH(8, 2)
COLUMNS_OF_BOTH(8, 4)
COLUMNS_OF_BOTH(16, 1)
COLUMNS_OF_BOTH(16, 2)
COLUMNS_OF_BOTH(16, 4)
COLUMNS_OF_BOTH(32, 1)
COLUMNS_OF_BOTH(32, 2)
COLUMNS_OF_BOTH(32, 4)
