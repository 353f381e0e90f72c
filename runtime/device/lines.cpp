//===- lines.cpp - Lanes that add each other's words, on the device -------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do lanes of which each has some neighbouring
// words to add to, but none of them all at once, spare memory their separate
// requests?
//
// Compiled to bitcode when KDiff is built; the lower stage links it into the
// modules that have such additions. Freestanding: no CUDA header.
//
// As many lanes as each has words form a group, which transposes its words
// (N log2(N) / 2 exchanges) and adds those of one lane after the other, a lane
// a word: each addition of a warp goes to a few runs of words instead of 32
// places.
//
//===----------------------------------------------------------------------===//

#include "Lanes.h"

#define GLOBAL __attribute__((address_space(1)))

/// The first lanes of the groups of N that are all in \p Mask.
template <int N> INLINE Word wholeGroups(Word Mask) {
#pragma unroll
  for (int D = 1; D < N; D *= 2)
    Mask &= Mask >> D;
  Word Firsts = 0;
#pragma unroll
  for (int L = 0; L < WarpSize; L += N)
    Firsts |= 1u << L;
  return Mask & Firsts;
}

INLINE void add(GLOBAL double *Address, double Value) {
  __scoped_atomic_fetch_add(Address, Value, __ATOMIC_RELAXED,
                            __MEMORY_SCOPE_DEVICE);
}

/// Of numbers, where the language's own choice would be one of places.
INLINE double either(bool Is, double A, double B) { return Is ? A : B; }

/// Lanes of groups that are not whole exchange with themselves alone.
template <int N>
INLINE void addLine(GLOBAL double *Address, double (&Values)[N]) {
  Word Mask = __nvvm_activemask();
  Word Whole = wholeGroups<N>(Mask);
  if (!Whole) {
#pragma unroll
    for (int K = 0; K < N; ++K)
      add(Address + K, Values[K]);
    return;
  }
  int Me = lane(), First = Me & -N;
  bool IsWhole = Whole >> First & 1;
#pragma unroll
  for (int D = N / 2; D != 0; D /= 2) {
    bool IsUpper = IsWhole && (Me & D);
    int From = IsWhole ? Me ^ D : Me;
#pragma unroll
    for (int K = 0; K < N; ++K) {
      if (K & D)
        continue;
      double Low = Values[K], High = Values[K | D];
      double Got = fromLane(Mask, either(IsUpper, Low, High), From);
      Values[K] = either(IsUpper, Got, Low);
      Values[K | D] = either(IsUpper, High, Got);
    }
  }
  auto Bits = reinterpret_cast<unsigned long long>(Address);
#pragma unroll
  for (int K = 0; K < N; ++K) {
    int From = IsWhole ? First + K : Me;
    unsigned long long Theirs =
        fromLane(Mask, Word(Bits), From) |
        (unsigned long long)fromLane(Mask, Word(Bits >> 32), From) << 32;
    add(reinterpret_cast<GLOBAL double *>(Theirs) + (IsWhole ? Me - First : K),
        Values[K]);
  }
}

extern "C" __attribute__((always_inline)) void
__kd_add_line_4(GLOBAL double *Address, double A, double B, double C,
                double D) {
  double Values[] = {A, B, C, D};
  addLine<4>(Address, Values);
}

extern "C" __attribute__((always_inline)) void
__kd_add_line_8(GLOBAL double *Address, double A, double B, double C, double D,
                double E, double F, double G, double H) {
  double Values[] = {A, B, C, D, E, F, G, H};
  addLine<8>(Address, Values);
}
