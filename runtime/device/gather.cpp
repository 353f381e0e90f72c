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

template <class T> constexpr int VectorLength = VectorBytes / sizeof(T);

/// Which of K / VectorLength vectors is read \p C-th: lanes whose rows begin in
/// the same bank begin with different ones.
template <int K, bool AlongY, class T> INLINE int vectorAt(int C, int Step) {
  int Turn = AlongY ? 0 : Step * place<AlongY>() / BankBytes;
  return C ^ (Turn & (K / VectorLength<T> - 1));
}

/// The seeds of a line of K threads, in the order in which they are used.
template <int K, bool AlongY, bool Aligned, class T>
INLINE void seeds(const SHARED T *All, int Step, T *Seeds) {
  if (length<AlongY>() != K)
    return;
  const SHARED T *Line = seedsOfLine<AlongY>(All);
  int Stride = seedStride<AlongY>();
#pragma unroll
  for (int J = 0; J < K; ++J) {
    constexpr int Length = VectorLength<T>;
    int From =
        Aligned ? vectorAt<K, AlongY, T>(J / Length, Step) * Length + J % Length
                : J;
    Seeds[J] = Line[From * Stride];
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

/// The sum of K products.
template <int K, bool AlongY, bool Aligned, class T>
INLINE T sum(const T *Seeds, const SHARED char *Factors, int Step, int Stride) {
  T Sum = T(-0.0);
  if constexpr (Aligned) {
    constexpr int Length = VectorLength<T>;
    typedef T Vector __attribute__((ext_vector_type(Length)));
#pragma unroll
    for (int C = 0; C < K / Length; ++C) {
      Vector Now = reinterpret_cast<const SHARED Vector *>(
          Factors)[vectorAt<K, AlongY, T>(C, Step)];
#pragma unroll
      for (int I = 0; I < Length; ++I)
        Sum = multiplyAdd(Seeds[C * Length + I], Now[I], Sum);
    }
  } else {
#pragma unroll
    for (int J = 0; J < K; ++J)
      Sum = multiplyAdd(
          Seeds[J], *reinterpret_cast<const SHARED T *>(Factors + J * Stride),
          Sum);
  }
  return Sum;
}

// The calling thread's line shares words, \p WordStep bytes apart from \p Word
// on. To word k, a thread adds its seed times what lies at \p Factor + k
// \p Step, which is \p Stride bytes further for the next thread of the line.

/// The sum over the line, of K threads, for the calling thread's word of K.
/// \p Seeds: as of seeds().
template <int K, bool AlongY, bool Aligned, class T>
INLINE T gather(const SHARED char *Factor, int Step, int Stride,
                const SHARED T *All, const T *Seeds) {
  int Mine = place<AlongY>();
  Factor += Mine * (Step - Stride); // The first thread's, of word Mine.
  T Sum = sum<K, AlongY, Aligned>(Seeds, Factor, Step, Stride);
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
#define GATHER(Line, AlongY, Aligned, Name, T, K)                              \
  ENTRY void __kd_gather_seeds_##Line##_##Name##_##K(const SHARED T *All,      \
                                                     int Step, T *Seeds) {     \
    seeds<K, AlongY, Aligned>(All, Step, Seeds);                               \
  }                                                                            \
  ENTRY T __kd_gather_##Line##_##Name##_##K(                                   \
      const SHARED char *Factor, int Step, int Stride, const SHARED T *All,    \
      const T *Seeds) {                                                        \
    return gather<K, AlongY, Aligned>(Factor, Step, Stride, All, Seeds);       \
  }
#define GATHER_ALL(Line, AlongY, Name, T)                                      \
  ENTRY void __kd_gather_##Line##_##Name(                                      \
      SHARED char *Word, int WordStep, const SHARED char *Factor, int Step,    \
      int Stride, int Count, const SHARED T *All) {                            \
    gatherAll<AlongY>(Word, WordStep, Factor, Step, Stride, Count, All);       \
  }
#define GATHERS(Name, T, K)                                                    \
  GATHER(row, false, false, Name, T, K)                                        \
  GATHER(column, true, false, Name, T, K)                                      \
  GATHER(aligned_row, false, true, Name, T, K)                                 \
  GATHER(aligned_column, true, true, Name, T, K)
#define GATHERS_OF_BOTH(K) GATHERS(f32, float, K) GATHERS(f64, double, K)
SHARE(f32, float)
SHARE(f64, double)
GATHER_ALL(row, false, f32, float)
GATHER_ALL(row, false, f64, double)
GATHER_ALL(column, true, f32, float)
GATHER_ALL(column, true, f64, double)
GATHERS_OF_BOTH(4)
GATHERS_OF_BOTH(8)
GATHERS_OF_BOTH(16)
GATHERS_OF_BOTH(32)
