//===- LaneSums.h - Adjoints summed over a warp, on the device ------------===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how do the lanes of a warp add to words that
// they share?
//
// N words of a full warp are summed together: in each of log2(N) steps a lane
// passes on half of the words that it still holds and keeps the other half, so
// that N - 1 + log2(32 / N) exchanges do (a transposition; 5 N would be needed
// word by word), and neighbouring lanes end with neighbouring words.
//
// A sum that is -0.0, the neutral element, is not added.
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_DEVICE_LANESUMS_H
#define KDIFF_DEVICE_LANESUMS_H

#include "Lanes.h"

//===--- Sums of a warp ---------------------------------------------------===//

/// By a full warp: the sum of Values[k] over the lanes, in the lanes l with
/// l / (32 / N) == k.
template <int N, int Distance, class T>
INLINE T transposedSum(const T *Values) {
  T Sum = exchange<N, Distance>(Values);
#pragma unroll
  for (int D = Distance / N; D != 0; D /= 2)
    Sum += across(Sum, D);
  return Sum;
}

// Words are told by their addresses, or, which takes fewer registers, by their
// distances in bytes from a base that they share.

template <class T> INLINE T *place(char *, T *Word) { return Word; }

template <class T> INLINE T *place(char *Base, int Distance) {
  return reinterpret_cast<T *>(Base + Distance);
}

/// Words[K], without an array in memory.
template <int N, class W> INLINE W pick(const W *Words, int K) {
  if constexpr (N == 1) {
    return Words[0];
  } else {
    W Half[N / 2];
#pragma unroll
    for (int I = 0; I < N / 2; ++I) {
      W Low = Words[I], High = Words[I + N / 2];
      Half[I] = K & (N / 2) ? High : Low;
    }
    return pick<N / 2>(Half, K);
  }
}

/// The sum over the lanes of \p Mask, in the lowest of them.
template <class T>
__attribute__((noinline)) static T sumOfLanes(Word Mask, T Value) {
  if ((Mask & (Mask + 1)) == 0) {
    // The lowest lanes, or all: a tree.
    for (int Distance = WarpSize / 2; Distance != 0; Distance /= 2) {
      int From = lane() + Distance;
      bool Exists = From < WarpSize && (Mask >> From & 1);
      T Theirs = fromLane(Mask, Value, Exists ? From : lane());
      Value += Exists ? Theirs : T(-0.0);
    }
    return Value;
  }
  T Sum = T(-0.0);
  for (Word Left = Mask; Left != 0; Left &= Left - 1)
    Sum += fromLane(Mask, Value, __builtin_ctz(Left));
  return Sum;
}

INLINE bool isNeutral(float V) {
  return __builtin_bit_cast(Word, V) == 1u << 31;
}

INLINE bool isNeutral(double V) {
  return __builtin_bit_cast(unsigned long long, V) == 1ull << 63;
}

template <class T> INLINE void addAtomic(T *Address, T Value) {
  if (!isNeutral(Value))
    __scoped_atomic_fetch_add(Address, Value, __ATOMIC_RELAXED,
                              __MEMORY_SCOPE_DEVICE);
}

/// What the lanes of \p Mask add to. An address may be of the thread's own
/// memory, which has no atomics; equal ones are different words then.
template <class T>
INLINE void addByLanes(Word Mask, bool Same, T *Address, T Value) {
  if (__nvvm_isspacep_local(Address)) {
    if (!isNeutral(Value))
      *Address += Value;
    return;
  }
  if (Same) {
    Value = sumOfLanes(Mask, Value);
    if (lane() != __builtin_ctz(Mask))
      return;
  }
  addAtomic(Address, Value);
}

template <int N, class W, class T>
INLINE void addEach(Word Mask, bool Same, char *Base, const W *Words,
                    const T *Values) {
  if constexpr (N < 8) {
#pragma unroll
    for (int K = 0; K < N; ++K)
      addByLanes(Mask, Same, place<T>(Base, Words[K]), Values[K]);
  } else {
    // Many are seldom added so: a loop, over copies that lie in memory.
    W Places[N];
    T Addends[N];
#pragma unroll
    for (int K = 0; K < N; ++K) {
      Places[K] = Words[K];
      Addends[K] = Values[K];
    }
#pragma nounroll
    for (int K = 0; K < N; ++K)
      addByLanes(Mask, Same, place<T>(Base, Places[K]), Addends[K]);
  }
}

/// By a full warp, whose aligned groups of \p Lanes lanes have the same
/// addresses each: every lane of a group adds a part of its N words.
template <int N, int Lanes, class W, class T>
INLINE void addGroups(char *Base, const W *Words, const T *Values) {
  if constexpr (N > Lanes) {
    addGroups<N / 2, Lanes>(Base, Words, Values);
    addGroups<N / 2, Lanes>(Base, Words + N / 2, Values + N / 2);
  } else {
    constexpr int Share = Lanes / N;
    T Sum = transposedSum<N, Lanes / 2>(Values);
    W Mine = pick<N>(Words, lane() % Lanes / Share);
    if (lane() % Share == 0)
      addAtomic(place<T>(Base, Mine), Sum);
  }
}

/// The lanes of \p Mask, which happen to be together, add to N words each.
/// \p Same: how many of them have the same addresses (__kd_same_word_warp).
template <int N, class W, class T>
INLINE void addWarp(Word Mask, int Same, char *Base, const W *Words,
                    const T *Values) {
  if (Mask == AllLanes && Same == WarpSize)
    addGroups<N, WarpSize>(Base, Words, Values);
  else
    addEach<N>(Mask, Same == WarpSize, Base, Words, Values);
}

/// The same, where rows of the block may be shorter than the warp.
template <int N, class W, class T>
INLINE void addRows(Word Mask, int Same, char *Base, const W *Words,
                    const T *Values) {
  if (Mask == AllLanes && Same == WarpSize / 2)
    addGroups<N, WarpSize / 2>(Base, Words, Values);
  else if (Mask == AllLanes && Same == WarpSize / 4)
    addGroups<N, WarpSize / 4>(Base, Words, Values);
  else
    addWarp<N>(Mask, Same, Base, Words, Values);
}

/// By a full warp, of which each aligned group of \p Distance * 2 lanes has its
/// addresses twice: the lanes \p Distance apart add half of the N words each.
template <int N, int Distance, class W, class T>
INLINE void addPairs(char *Base, const W *Words, const T *Values,
                     bool Further) {
  if constexpr (N == 1) {
    T Sum = Values[0] + across(Values[0], Distance);
    if constexpr (Distance == WarpSize / 2)
      if (Further)
        Sum += across(Sum, Distance / 2);
    int Adders = Further ? Distance / 2 : Distance;
    if (lane() % (2 * Distance) < Adders)
      addAtomic(place<T>(Base, Words[0]), Sum);
  } else {
    bool Upper = lane() & Distance;
    T Half[N / 2];
    W Mine[N / 2];
#pragma unroll
    for (int K = 0; K < N / 2; ++K) {
      T Low = Values[K], High = Values[K + N / 2];
      Half[K] = (Upper ? High : Low) + across(Upper ? Low : High, Distance);
      W LowWord = Words[K], HighWord = Words[K + N / 2];
      Mine[K] = Upper ? HighWord : LowWord;
    }
    if constexpr (Distance == WarpSize / 2)
      if (Further) {
        addPairs<N / 2, Distance / 2>(Base, Mine, Half, false);
        return;
      }
#pragma unroll
    for (int K = 0; K < N / 2; ++K)
      addAtomic(place<T>(Base, Mine[K]), Half[K]);
  }
}

/// The lanes of \p Mask add to N words each, which are those of lanes in other
/// rows of the block. \p Same: how many of the warp have the same addresses
/// (__kd_same_word_across).
template <int N, class W, class T>
INLINE void addAcross(Word Mask, int Same, char *Base, const W *Words,
                      const T *Values) {
  if (Mask == AllLanes && Same > 1)
    addPairs<N, WarpSize / 2>(Base, Words, Values, Same == 4);
  else
    addEach<N>(Mask, false, Base, Words, Values);
}

#endif // KDIFF_DEVICE_LANESUMS_H
