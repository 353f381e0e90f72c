//===- Lanes.h - Exchanges between the lanes of a warp, on the device -----===//
//
// Part of KDiff, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which question this answers: how does a lane get a word of another one?
//
//===----------------------------------------------------------------------===//
#ifndef KDIFF_DEVICE_LANES_H
#define KDIFF_DEVICE_LANES_H

#define INLINE __attribute__((always_inline)) static inline
#define SHARED __attribute__((address_space(3)))

using Word = unsigned;

constexpr Word AllLanes = ~0u;
constexpr int WarpSize = 32;

INLINE int lane() { return __nvvm_read_ptx_sreg_laneid(); }

/// Lets \p Exchange, of words, exchange both halves of \p Value.
template <class Fn> INLINE double inHalves(double Value, Fn Exchange) {
  union {
    double Number;
    Word Halves[2];
  } In{Value}, Out;
  Out.Halves[0] = Exchange(In.Halves[0]);
  Out.Halves[1] = Exchange(In.Halves[1]);
  return Out.Number;
}

/// By the lanes of \p Mask: what lane \p L holds.
INLINE Word fromLane(Word Mask, Word Value, int L) {
  return __nvvm_shfl_sync_idx_i32(Mask, Value, L, 31);
}

INLINE float fromLane(Word Mask, float Value, int L) {
  return __nvvm_shfl_sync_idx_f32(Mask, Value, L, 31);
}

INLINE double fromLane(Word Mask, double Value, int L) {
  return inHalves(Value, [=](Word Half) __attribute__((always_inline)) {
    return fromLane(Mask, Half, L);
  });
}

/// Of a full warp: the value of the lane whose number differs in the bit
/// \p Distance.
INLINE float across(float Value, int Distance) {
  return __nvvm_shfl_sync_bfly_f32(AllLanes, Value, Distance, 31);
}

INLINE double across(double Value, int Distance) {
  return inHalves(Value, [=](Word Half) __attribute__((always_inline)) {
    return __nvvm_shfl_sync_bfly_i32(AllLanes, Half, Distance, 31);
  });
}

/// By a full warp: of N lanes \p Distance, \p Distance / 2, ... apart, the
/// k-th gets the sum of their Parts[k].
template <int N, int Distance, class T> INLINE T exchange(const T *Parts) {
  if constexpr (N == 1) {
    return Parts[0];
  } else {
    T Half[N / 2];
    bool Upper = lane() & Distance;
#pragma unroll
    for (int K = 0; K < N / 2; ++K) {
      T Low = Parts[K], High = Parts[K + N / 2];
      Half[K] = (Upper ? High : Low) + across(Upper ? Low : High, Distance);
    }
    return exchange<N / 2, Distance / 2>(Half);
  }
}

#endif // KDIFF_DEVICE_LANES_H
